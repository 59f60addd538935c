"""Folders as scanners write them: every flavour of phases and times gives the frames that were written."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError, MissingExtraError
from tests.imaging import dicom_files as files

START = 36000.0
T = files.TIMES


def by_time(tags, k, z):
    tags[files.CLOCK] = ("TM", files.clock(START + T[k]))


def by_trigger(tags, k, z):
    tags[files.CLOCK] = ("TM", files.clock(START))
    tags[files.TRIGGER] = ("DS", f"{1000 * T[k]:g}")


def by_position(tags, k, z):
    tags[files.POSITION] = ("IS", str(k + 1))
    tags[files.CONTENT_DAY] = ("DA", "20240101")
    tags[files.CONTENT] = ("TM", files.clock(START + T[k]))


def by_series(tags, k, z):
    tags[files.SERIES] = ("UI", f"1.2.3.{k}")
    tags[files.NUMBER] = ("IS", str(k + 3))
    tags[files.SERIES_CLOCK] = ("TM", files.clock(START + T[k]))


def by_slice(tags, k, z):
    tags[files.CLOCK] = ("TM", files.clock(START + T[k] + 7.5 * z))


def at_midnight(tags, k, z):
    tags[files.CLOCK] = ("TM", files.clock(86400 - 100 + T[k]))


def at_midnight_in_order(tags, k, z):
    at_midnight(tags, k, z)
    tags[files.POSITION] = ("IS", str(k + 1))


def with_dates(tags, k, z):
    seconds = 86400 - 100 + T[k]
    tags[files.DAY] = ("DA", "20240131" if seconds < 86400 else "20240201")
    tags[files.CLOCK] = ("TM", files.clock(seconds))


FLAVOURS = {
    by_time: ("AcquisitionTime", "AcquisitionTime"), by_trigger: ("TriggerTime", "TriggerTime"),
    by_position: ("TemporalPositionIdentifier", "ContentTime"), by_series: ("series", "SeriesTime"),
    by_slice: ("their order at each place", "AcquisitionTime"), at_midnight: ("AcquisitionTime", "AcquisitionTime"),
    at_midnight_in_order: ("TemporalPositionIdentifier", "AcquisitionTime"),
    with_dates: ("AcquisitionTime", "AcquisitionTime"),
}  # fmt: skip


@pytest.mark.parametrize("flavour", FLAVOURS, ids=lambda one: one.__name__)
def test_every_flavour_gives_frames_and_times(flavour, tmp_path):
    made = files.series_in_time()
    files.write_flavour(made, tmp_path / "scan" / "deep", flavour)
    found = rl.imaging.dce_series(tmp_path / "scan", arrival=10.0)
    assert (found.frames == made.frames).all()
    assert found.times.tolist() == list(T)
    assert found.place.same_place(made.place)
    apart, when = FLAVOURS[flavour]
    assert f"told apart by {apart}, times by {when}: 0, 72, 144, 216 s" in found.notes[0]


def test_order_without_times_asks_for_them(tmp_path):
    made = files.series_in_time()
    files.write_flavour(made, tmp_path / "a", lambda tags, k, z: tags.update({files.ACQUISITION: ("IS", str(k + 1))}))
    with pytest.raises(InputError, match=r"times must be given .* write times=\(0, 60, 120\) in seconds"):
        rl.imaging.dce_series(tmp_path / "a")
    found = rl.imaging.dce_series(tmp_path / "a", times=T, arrival=10)
    assert (found.frames == made.frames).all()


def test_a_command_asks_in_its_own_words(tmp_path, capsys):
    from click.testing import CliRunner

    from roclab.cli.main import cli

    files.write_flavour(files.series_in_time(), tmp_path / "a", lambda tags, k, z: None)
    done = CliRunner().invoke(cli, ["dce", "montage", str(tmp_path / "a")], prog_name="roclab")
    assert done.exit_code != 0
    assert "write --times 0,60,120 in seconds" in done.output


def test_other_series_are_listed_and_may_be_named(tmp_path):
    made = files.series_in_time()
    files.write_flavour(made, tmp_path / "a", by_time)
    other, echo = files.own_series("T2"), files.own_series("second echo")

    def one_phase(tags, k, z):
        tags.update(other)
        tags[files.ECHO] = ("DS", "90")

    def subtracted(tags, k, z):
        by_time(tags, k, z)
        tags.update(echo)
        tags[files.KIND] = ("CS", "DERIVED\\SECONDARY\\SUBTRACTION")

    single = files.series_in_time()
    files.write_flavour(
        single, tmp_path / "a" / "t2", one_phase, leave_out=[(k, z) for k in (1, 2, 3) for z in range(4)]
    )
    files.write_flavour(single, tmp_path / "a" / "sub", subtracted)
    (tmp_path / "a" / "notes.txt").write_text("no image")
    found = rl.imaging.dce_series(tmp_path / "a", arrival=10)
    assert (found.frames == made.frames).all()
    assert "not taken: " in found.notes[1]
    assert "series 7 'T2' of 4 slices" in found.notes[1]
    assert "'second echo' of 4 slices at 4 times" in found.notes[1]
    with pytest.raises(InputError, match="series must be the UID or number of one in the folder, got '99'"):
        rl.imaging.dce_series(tmp_path / "a", series="99")
    assert "second echo" in rl.imaging.dce_series(tmp_path / "a", series=echo[files.SERIES][1], arrival=10).notes[0]


def test_bad_folders_are_refused_in_one_sentence(tmp_path):
    made = files.series_in_time()
    files.write_flavour(made, tmp_path / "hole", by_time, leave_out=[(2, 1)])
    with pytest.raises(InputError, match="must have every slice in every phase, got hole, where series 1 'dynamic'"):
        rl.imaging.dce_series(tmp_path / "hole")
    files.write_flavour(made, tmp_path / "one", by_time, leave_out=[(k, z) for k in (1, 2, 3) for z in range(4)])
    with pytest.raises(InputError, match="must hold one place at two times or more, got one with series 1"):
        rl.imaging.dce_series(tmp_path / "one")
    files.write_flavour(made, tmp_path / "two", by_time)
    again = files.own_series("again")
    files.write_flavour(
        made, tmp_path / "two" / "b", lambda tags, k, z: (by_time(tags, k, z), tags.update(again), tags.update(
            {files.ECHO: ("DS", "4")}))
    )  # fmt: skip
    with pytest.raises(InputError, match="must hold one series in time, got .*; name one with series="):
        rl.imaging.dce_series(tmp_path / "two")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="must hold DICOM images, got empty, in which there are none"):
        rl.imaging.dce_series(tmp_path / "empty")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "a.dcm").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match=r"must hold DICOM files that can be read, got a.dcm"):
        rl.imaging.dce_series(tmp_path / "broken")
    with pytest.raises(InputError, match="series is for a folder of DICOM files"):
        rl.imaging.dce_series(made.frames, times=T, series="1")


def test_a_series_that_is_written_is_read_again(tmp_path):
    made = rl.imaging.phantom_breast(size=(6, 48, 64), rng=1).series
    rl.imaging.write_dicom(made, tmp_path / "s", description="dynamic")
    back = rl.imaging.dce_series(tmp_path / "s", arrival=made.arrival)
    assert back.frames == pytest.approx(made.frames, abs=float(np.ptp(made.frames)) / 65000)
    assert (back.times == made.times).all()
    assert back.place.same_place(made.place)
    assert back.place.modality == "MR"


def enhanced(made):
    """All phases in one file: shared and own groups of every frame, times beside the place."""
    from roclab.imaging.dicom_elements import decimals, new_uid, part_10

    way = np.array(made.place.direction).reshape(3, 3)
    frames, pixels = [], []
    for k in (2, 0, 3, 1):
        for z in range(made.shape[0]):
            content = {0x00209128: ("UL", k + 1), 0x00189074: ("DT", f"20240101{files.clock(START + T[k])}")}
            place = {0x00200032: ("DS", decimals(made.place.to_world((z, 0, 0))[0]))}
            scale = {0x00281052: ("DS", "-5"), 0x00281053: ("DS", "1")}
            frames.append({0x00209111: ("SQ", [content]), 0x00209113: ("SQ", [place]), 0x00289145: ("SQ", [scale])})
            pixels.append((made.frames[k, z] + 5).astype("<u2"))
    shared = {
        0x00209116: ("SQ", [{0x00200037: ("DS", decimals((*way[:, 0], *way[:, 1])))}]),
        0x00289110: ("SQ", [{0x00280030: ("DS", "1.5\\1.25"), 0x00180050: ("DS", "3")}]),
    }
    return part_10({
        0x00080016: ("UI", "1.2.840.10008.5.1.4.1.1.4.1"), 0x00080018: ("UI", new_uid()), 0x00080060: ("CS", "MR"),
        0x00080008: ("CS", "ORIGINAL\\PRIMARY"), 0x0020000D: ("UI", "1.2"), 0x0020000E: ("UI", "1.2.3"),
        0x00280002: ("US", 1), 0x00280004: ("CS", "MONOCHROME2"), 0x00280008: ("IS", str(len(frames))),
        0x00280010: ("US", made.shape[1]), 0x00280011: ("US", made.shape[2]), 0x00280100: ("US", 16),
        0x00280101: ("US", 16), 0x00280102: ("US", 15), 0x00280103: ("US", 0), 0x52009229: ("SQ", [shared]),
        0x52009230: ("SQ", frames), 0x7FE00010: ("OW", np.stack(pixels).tobytes()),
    })  # fmt: skip


def test_enhanced_frames_are_read_with_their_own_times(tmp_path):
    pytest.importorskip("pydicom")
    made = files.series_in_time()
    (tmp_path / "e.dcm").write_bytes(enhanced(made))
    found = rl.imaging.dce_series(tmp_path / "e.dcm", arrival=10)
    assert (found.frames == made.frames).all()
    assert found.times.tolist() == list(T)
    assert found.place.same_place(made.place)


def test_enhanced_frames_need_a_library(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pydicom", None)
    (tmp_path / "e.dcm").write_bytes(enhanced(files.series_in_time()))
    with pytest.raises(MissingExtraError, match=r"roclab\[dicom\]"):
        rl.imaging.dce_series(tmp_path / "e.dcm")
