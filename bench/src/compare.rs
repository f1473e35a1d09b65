//! Compares two versions of the library in the same cells: `cargo xtask bench --baseline CHECKOUT`.

use crate::{
    cells::ROWS,
    engines::{BASELINE, Level, Loaded, OURS},
    report::Figures,
};

/// Cells with a larger ratio are listed as slower.
const SLOWER: f64 = 1.08;
/// Cells with a smaller ratio are listed as faster.
const FASTER: f64 = 0.92;

/// Prints, for each level, the mean of every row and the cells that differ most. A ratio is the new time divided by the old
/// time.
pub(crate) fn print(engines: &[Loaded], figures: &[Figures]) {
    for level in Level::ALL {
        let time = |figures: &Figures, family: &dyn Fn(&Loaded) -> bool| {
            let times = figures.times.iter().filter(|(at, _)| engines[*at].level == level && family(&engines[*at]));
            times.map(|&(_, ns)| ns).next()
        };
        let mut cells: Vec<(f64, f64, f64, &Figures)> = figures
            .iter()
            .filter_map(|figures| {
                let new = time(figures, &|engine| engine.family == OURS)?;
                let old = time(figures, &|engine| engine.family == BASELINE)?;
                Some((new / old, new, old, figures))
            })
            .collect();
        if cells.is_empty() {
            continue;
        }
        cells.sort_by(|a, b| b.0.total_cmp(&a.0));
        println!("== {}: new time / old time, {} cells", level.name(), cells.len());
        for (row, title) in ROWS.iter().enumerate().map(|(at, row)| (Some(at), row.title)).chain([(None, "no row")]) {
            let ratios: Vec<f64> = cells.iter().filter(|cell| cell.3.cell.row == row).map(|cell| cell.0).collect();
            if let (Some(worst), Some(best)) = (ratios.first(), ratios.last()) {
                let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
                println!("  mean {mean:.3}  worst {worst:.3}  best {best:.3}  {title}");
            }
        }
        let (slower, faster) =
            (cells.iter().filter(|cell| cell.0 > SLOWER), cells.iter().filter(|cell| cell.0 < FASTER));
        for (ratio, new, old, figures) in slower.chain(faster) {
            println!("  {ratio:.3} {:>10} {:>10}  {}", figures.speed(*new), figures.speed(*old), figures.cell.name);
        }
    }
}
