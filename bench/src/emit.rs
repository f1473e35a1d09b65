//! Writes cells with their inputs and expected outputs to a file, for engines that another program runs (`wasm/bench.mjs`).

use std::fmt::Write as _;

use crate::{cells::Cell, inputs::Prepared, units::Units};

/// Returns a cell as a line of JSON. Inputs and outputs are bytes in hexadecimal.
pub(crate) fn line(cell: &Cell, prepared: &Prepared) -> String {
    let inputs = prepared.inputs.iter().map(|input| prepared.src.slice(input.clone()));
    let outputs = prepared.outputs.iter().cloned();
    format!(
        "{{\"name\":\"{}\",\"operation\":{},\"encoding\":\"{}\",\"chunk\":{},\"unitIn\":{},\"unitOut\":{},\
         \"inputs\":[{}],\"outputs\":[{}]}}\n",
        cell.name,
        cell.operation as u32,
        cell.encoding,
        crate::inputs::job(cell).chunk,
        cell.operation.unit_in(),
        cell.operation.unit_out(),
        list(inputs),
        list(outputs)
    )
}

fn list(all: impl Iterator<Item = Units>) -> String {
    all.map(|units| format!("\"{}\"", hexadecimal(&units))).collect::<Vec<_>>().join(",")
}

fn hexadecimal(units: &Units) -> String {
    let mut text = String::with_capacity(2 * units.bytes());
    let bytes = match units {
        Units::Bytes(bytes) => bytes.clone(),
        Units::Utf16(units) => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
    };
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
