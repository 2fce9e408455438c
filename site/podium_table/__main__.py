# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""podium_table TABLE --to FILE: a table that `podium report` hands over as JSON, as Parquet.

TABLE is {"columns": [{"name", "type", "meaning", "values"}]}; types are bool, int64, double and string, and null is no
value. Numbers that are not finite are the strings "inf", "-inf" and "nan".
"""
import argparse
import json

import pyarrow as pa
from pyarrow import parquet

TYPES = {"bool": pa.bool_(), "int64": pa.int64(), "double": pa.float64(), "string": pa.string()}


def column(stated: dict) -> pa.Array:
    values = stated["values"]
    if stated["type"] == "double":
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, TYPES[stated["type"]])


def main() -> None:
    parser = argparse.ArgumentParser(prog="podium_table")
    parser.add_argument("table", help="JSON of the columns")
    parser.add_argument("--to", required=True, help="the Parquet file")
    options = parser.parse_args()
    with open(options.table, encoding="utf-8") as file:
        columns = json.load(file)["columns"]
    fields = [pa.field(one["name"], TYPES[one["type"]], metadata={"meaning": one["meaning"]}) for one in columns]
    parquet.write_table(pa.table([column(one) for one in columns], schema=pa.schema(fields)), options.to,
                        compression="zstd")


if __name__ == "__main__":
    main()
