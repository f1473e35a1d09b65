//! The picture: a panel for each conversion.
//!
//! It is written by hand, because it needs classes for light and dark mode, a title and a description. plotters, the usual
//! crate, writes fixed colours into each element and has neither.

use std::fmt::Write as _;

use super::{BEYOND_CACHES, Figures, GIB, LENGTHS, Series, report};

/// The series that are drawn, in the order of drawing: the class and the name.
const SERIES: [(Series, &str, &str); 5] = [
    (Series::TwoCopies, "copy two", "two copies at once"),
    (Series::Copy, "copy", "copy (memcpy)"),
    (Series::Peer, "peer", "fastest peer, one stream"),
    (Series::Two, "ours two", "textcodec, two streams at once"),
    (Series::One, "ours", "textcodec, one stream"),
];

const STYLE: &str = "\
text{font:11px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.note{fill:#59636e}.page{fill:#fff}.far{fill:#f3f5f7}\
.grid{stroke:#d8dee4;stroke-width:1}path{fill:none;stroke-width:1.5}circle{fill:#fff;stroke-width:1.5}\
.ours{stroke:#0969da}path.ours{stroke-width:2.2}.peer{stroke:#bc4c00}.copy{stroke:#8c959f}.two{stroke-dasharray:4 3}circle.two{stroke-dasharray:none}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}.page{fill:#0d1117}.far{fill:#161b22}.grid{stroke:#30363d}\
circle{fill:#0d1117}.ours{stroke:#58a6ff}.peer{stroke:#f0883e}.copy{stroke:#7d8590}}";

const COLUMNS: usize = 4;
/// The area of a panel in which lines are drawn.
const WIDTH: f64 = 196.0;
const HEIGHT: f64 = 170.0;
/// The distances between the starts of panels.
const STEP_X: f64 = 236.0;
const STEP_Y: f64 = 238.0;
/// Where the area of the first panel starts, after the legend.
const LEFT: f64 = 40.0;
const TOP: f64 = 78.0;

/// The horizontal and vertical scales, which all panels share.
struct Scale {
    /// The exponents of the lowest and the highest speed.
    low: f64,
    high: f64,
}

impl Scale {
    fn new(figures: &[Figures]) -> Self {
        let speeds = figures.iter().flat_map(|row| row.points.iter().map(|point| (1.0 / point.ns).log10()));
        let (low, high) = speeds.fold((0.0, 1.0), |(low, high): (f64, f64), it| (low.min(it), high.max(it)));
        Self { low: (low - 0.05).max(-3.0), high: high + 0.05 }
    }

    fn x(len: usize) -> f64 {
        let [first, .., last] = LENGTHS.map(|len| (len as f64).log2());
        8.0 + (WIDTH - 16.0) * ((len as f64).log2() - first) / (last - first)
    }

    fn y(&self, speed: f64) -> f64 {
        HEIGHT * (1.0 - (speed.log10() - self.low) / (self.high - self.low))
    }

    /// Returns the speeds that have a line.
    fn speeds(&self) -> impl Iterator<Item = f64> {
        let all = (-3..4).flat_map(|exponent| [1.0, 3.0].map(|digit| digit * 10_f64.powi(exponent)));
        all.filter(|speed| (self.low..self.high).contains(&speed.log10()))
    }
}

/// Returns the picture as SVG.
pub(super) fn draw(figures: &[Figures], machine: &str) -> String {
    let scale = Scale::new(figures);
    let (width, height) = (LEFT + STEP_X * COLUMNS as f64, TOP + STEP_Y * figures.len().div_ceil(COLUMNS) as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">Speed as streams grow</title>\n<desc id=\"desc\">{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"note\" x=\"12\" y=\"20\">GB/s of input (up) by length of the stream (right), both logarithmic. \
         Shaded: beyond the caches. {}</text>\n",
        description(figures),
        escape(machine)
    );
    let mut x = 12.0;
    for (_, class, name) in SERIES.iter().rev() {
        let _ = writeln!(
            svg,
            "<path class=\"{class}\" d=\"M{x} 37h26\"/><circle class=\"{class}\" cx=\"{}\" cy=\"37\" r=\"2.6\"/><text x=\"{}\" y=\"41\">{name}</text>",
            x + 13.0,
            x + 32.0
        );
        x += 52.0 + 6.2 * name.len() as f64;
    }
    for (n, row) in figures.iter().enumerate() {
        let (x, y) = (LEFT + STEP_X * (n % COLUMNS) as f64, TOP + STEP_Y * (n / COLUMNS) as f64);
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">\n{}</g>", panel(row, &scale));
    }
    svg + "</svg>\n"
}

fn panel(row: &Figures, scale: &Scale) -> String {
    let far = Scale::x(BEYOND_CACHES) - 8.0;
    let mut panel = format!(
        "<text class=\"title\" y=\"-10\">{}</text>\n<rect class=\"far\" x=\"{far:.0}\" width=\"{:.0}\" height=\"{HEIGHT}\"/>\n",
        escape(row.row.title),
        WIDTH - far
    );
    for speed in scale.speeds() {
        let y = scale.y(speed);
        let _ = writeln!(
            panel,
            "<path class=\"grid\" d=\"M0 {y:.1}h{WIDTH}\"/><text class=\"note\" x=\"-4\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y + 4.0,
            (speed * 1000.0).round() / 1000.0
        );
    }
    for len in LENGTHS {
        let short = report::size(len).replace(' ', "").replace("iB", "");
        let _ = writeln!(
            panel,
            "<text class=\"note\" x=\"{:.0}\" y=\"{}\" text-anchor=\"middle\">{short}</text>",
            Scale::x(len),
            HEIGHT + 15.0
        );
    }
    if let Some(peer) = &row.peer {
        let _ = writeln!(panel, "<text class=\"note\" y=\"{}\">peer: {}</text>", HEIGHT + 32.0, escape(peer));
    }
    for (series, class, _) in SERIES {
        let points = LENGTHS.into_iter().filter_map(|len| Some((len, row.speed(series, len)?)));
        let (mut line, mut marks) = (String::new(), String::new());
        for (len, speed) in points {
            let (x, y) = (Scale::x(len), scale.y(speed));
            let _ = write!(line, "{}{x:.0} {y:.1}", if line.is_empty() { 'M' } else { 'L' });
            let _ = write!(
                marks,
                "<circle class=\"{class}\" cx=\"{x:.0}\" cy=\"{y:.1}\" r=\"2.6\"><title>{}: {} GB/s</title></circle>",
                report::size(len),
                report::digits(speed)
            );
        }
        let _ = writeln!(panel, "<path class=\"{class}\" d=\"{line}\"/>{marks}");
    }
    panel
}

/// Returns the figures of streams of 1 GiB as text.
fn description(figures: &[Figures]) -> String {
    let mut text =
        "Eight panels, one for each conversion, with a line for each series. GB/s for streams of 1 GiB:".to_owned();
    for row in figures {
        let _ = write!(text, " {}:", escape(row.row.title));
        for (series, _, name) in SERIES.iter().rev() {
            if let Some(speed) = row.speed(*series, GIB) {
                let _ = write!(text, " {name} {},", report::digits(speed));
            }
        }
        text.pop();
        text.push('.');
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use anyhow::{Context as _, Result};

    use super::{
        super::{Point, ROWS},
        *,
    };

    fn figures() -> Vec<Figures> {
        let point = |series, (n, len)| {
            let ns = 0.1 * (n + 1) as f64;
            Point { series, len, ns, mean: ns, turns: 1 }
        };
        let points = || {
            Series::ALL.into_iter().flat_map(|series| LENGTHS.into_iter().enumerate().map(move |at| point(series, at)))
        };
        let row = |row| Figures {
            row,
            ours: "a<b".to_owned(),
            peer: Some("c<d&e".to_owned()),
            points: points().collect(),
            before: 0,
            peaks: Vec::new(),
            left_out: Vec::new(),
        };
        ROWS.iter().map(row).collect()
    }

    #[test]
    fn each_panel_has_each_point_at_its_place() -> Result<()> {
        let figures = figures();
        let svg = draw(&figures, "A & B");
        assert!(svg.len() < 60 << 10, "{}", svg.len());
        let document = roxmltree::Document::parse(&svg)?;
        let root = document.root_element();
        let text = |name| root.children().find(|node| node.has_tag_name(name)).and_then(|node| node.text());
        assert!(
            text("title").is_some() && text("desc").is_some_and(|text| text.contains("Big") || text.contains("EUC-KR"))
        );
        let panels: Vec<_> = root.children().filter(|node| node.has_tag_name("g")).collect();
        assert_eq!(panels.len(), figures.len());
        let number = |node: roxmltree::Node<'_, '_>, name| -> Result<f64> {
            Ok(node.attribute(name).context("no attribute")?.parse()?)
        };
        for panel in panels {
            let marks: Vec<_> = panel
                .children()
                .filter(|node| node.attribute("class") == Some("ours") && node.has_tag_name("circle"))
                .collect();
            let x: Vec<f64> = marks.iter().map(|mark| number(*mark, "cx")).collect::<Result<_>>()?;
            let y: Vec<f64> = marks.iter().map(|mark| number(*mark, "cy")).collect::<Result<_>>()?;
            assert_eq!(x.len(), LENGTHS.len());
            // 1 KiB, 1 MiB and 1 GiB are at equal distances, and so are speeds with equal ratios: 10, 5 and 2.5 GB/s.
            assert!(((x[2] - x[0]) - (x[4] - x[2])).abs() <= 2.0, "{x:?}");
            assert!(((y[1] - y[0]) - (y[3] - y[1])).abs() <= 0.3 && y[0] < y[1], "{y:?}");
            assert!(y.iter().all(|y| (0.0..=HEIGHT).contains(y)));
        }
        Ok(())
    }
}
