"""A beamline as an EPICS input/output controller: the process variables of the group "beamline" of groups.json.

Motors (BL:M..) are doubles, counters (BL:C..) longs, shutters (BL:S..) enums, texts (BL:T..) strings, BL:W01 is a waveform
of 256 doubles. It prints "ready" when it responds, takes lines "NAME VALUE" on standard input, and ends with that input,
so that it never outlives the process that started it.
"""

import argparse
import json
import os
import pathlib
import sys

GROUPS = pathlib.Path(__file__).resolve().parents[1] / "groups.json"
WAVEFORM_POINTS = 256


def listen_on_loopback(port: int) -> None:
    """Channel Access on this port of the loopback alone; no beacons, no PV Access. Read when softioc is imported."""
    os.environ.update(
        EPICS_CA_SERVER_PORT=str(port),
        EPICS_CAS_INTF_ADDR_LIST="127.0.0.1",
        EPICS_CAS_AUTO_BEACON_ADDR_LIST="NO",
        EPICS_CAS_BEACON_ADDR_LIST="127.0.0.1",
        PVXS_QSRV_ENABLE="NO",
    )


def create_records(builder) -> dict:
    records = {}
    for number, entry in enumerate(json.loads(GROUPS.read_text())["beamline"]):
        name, kind = entry.split("@")
        device, record = name.split(":")
        builder.SetDeviceName(device)
        if record.startswith("W"):
            records[name] = builder.WaveformIn(record, [float(point) for point in range(WAVEFORM_POINTS)])
        elif kind == "double":
            records[name] = builder.aIn(record, initial_value=number / 8, PREC=3, EGU="mm")
        elif kind == "long":
            records[name] = builder.longIn(record, initial_value=number)
        elif kind == "enum":
            records[name] = builder.mbbIn(record, "Closed", "Open", initial_value=1)
        else:
            records[name] = builder.stringIn(record, initial_value=f"text {number}")
    return records


def parse(kind: str, text: str):
    if kind in ("long", "enum"):
        return int(text)
    return float(text) if kind == "double" else text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=5064, help="UDP and TCP, default 5064")
    listen_on_loopback(parser.parse_args().port)

    from softioc import asyncio_dispatcher, builder, softioc

    dispatcher = asyncio_dispatcher.AsyncioDispatcher()
    records = create_records(builder)
    kinds = dict(entry.split("@") for entry in json.loads(GROUPS.read_text())["beamline"])
    builder.LoadDatabase()
    softioc.iocInit(dispatcher)
    print("ready", flush=True)

    for line in sys.stdin:
        name, text = line.strip().split(" ", 1)
        records[name].set(parse(kinds[name], text))


if __name__ == "__main__":
    main()
