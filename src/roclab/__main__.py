"""``python -m roclab`` is the command ``roclab``."""

from roclab.cli.start import main

if __name__ == "__main__":
    main()
