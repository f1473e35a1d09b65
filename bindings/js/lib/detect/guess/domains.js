// The languages of top-level domains.

/** Country code domains, and the languages that pages there are in, apart from English. */
const DOMAINS =
  "al sq,ae ar,ar es,at de,az az,ba hr sr,be nl fr de,bg bg,br pt,by be ru,cat ca,ch de fr it,cl es,cn zh,co es,cy el," +
  "cz cs,de de,dk da,dz ar fr,ee et,eg ar,es es ca gl eu,fi fi sv,fr fr br oc,gr el,hk zh,hr hr,hu hu,id id,ie ga," +
  "il he ar,iq ar,ir fa,is is,it it,jo ar,jp ja,kr ko,kz kk ru,lt lt,lu fr de,lv lv ru,ma ar fr,md ro ru,me sr hr,mk mk," +
  "mt mt,mx es,nl nl,no nb,pl pl,pt pt,ro ro,rs sr hr,ru ru,sa ar,se sv,si sl,sk sk,su ru,th th,tr tr,tw zh,ua uk ru," +
  "vn vi";

/** Returns the tags of the languages of a domain, or nothing if it is not known. */
export function languagesOf(domain) {
  const known = DOMAINS.split(",").map((entry) => entry.split(" "));
  return known.find(([name]) => name === domain)?.slice(1) ?? [];
}
