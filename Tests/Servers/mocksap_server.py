#!/usr/bin/env python3
"""The services of mock-sap: OData 2 in JSON, and OData 4, over the same rows; see README.md."""

from mocksap.server import Config, make_server

import serving

arguments = serving.parser(__doc__).parse_args()
server = make_server(Config(host=serving.HOST, port=arguments.port, db_path=":memory:", quiet=not arguments.verbose))
serving.start(arguments, server.server_port)
server.serve_forever()
