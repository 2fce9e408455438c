# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""python3 -m podium_site.serve DIR PORT: shows a folder at 127.0.0.1 until Ctrl-C."""

import functools
import http.server
import sys


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    folder, port = sys.argv[1], int(sys.argv[2])
    handler = functools.partial(_Quiet, directory=folder)
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        print(f"podium: publish: port {port} of 127.0.0.1: {error.strerror}; give another one: --serve PORT", file=sys.stderr)
        return 2
    print(f"podium: http://127.0.0.1:{port}/ shows {folder} until Ctrl-C", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
