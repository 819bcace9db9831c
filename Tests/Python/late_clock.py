"""A clock that a test sets for processes that it starts; it runs on from there at normal speed."""

import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).parents[1] / "CommandTests" / "late-clock.c"


class LateClock:
    def __init__(self, folder: str | pathlib.Path, seconds: int = 0, is_built: bool = False) -> None:
        """Builds what it needs in a folder, which other users can read after that."""
        folder = pathlib.Path(folder)
        library, self.seconds = folder / "late-clock.so", folder / "seconds"
        if not is_built:
            subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True)
            for path in (folder, library):
                path.chmod(0o755)
        self.set(seconds)
        self.environment = {"LD_PRELOAD": str(library), "LATE_CLOCK_FILE": str(self.seconds)}

    def set(self, seconds: int) -> None:
        """How many seconds it is ahead; negative if it is behind."""
        other = self.seconds.with_suffix(".new")
        other.write_text(str(seconds))
        other.chmod(0o644)
        other.rename(self.seconds)
