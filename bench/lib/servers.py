"""The servers of the benchmarks: each responds as fast as it can."""

import pathlib

import measure
from measure import ROOT, Failed

NAMES = ("nginx", "responder", "node", "info")

NGINX_CONF = """
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log stderr error;
events {{ worker_connections 65536; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{ return 200 "ok"; }}
  }}
}}
"""


def server(name: str, core: int, directory: str) -> tuple[measure.Server, str]:
    """A server that is yet to be entered, and the path to ask for. What it writes goes into the directory."""
    port = measure.free_port()
    program = measure.find("node" if name == "info" else name)
    if program is None:
        raise Failed(f"{name} is not there; hint: bench/setup")
    if name == "nginx":
        conf = pathlib.Path(directory, "nginx.conf")
        conf.write_text(NGINX_CONF.format(directory=directory, port=port))
        return measure.Server([program, "-p", directory, "-e", "stderr", "-c", str(conf)], core, port), "/"
    if name == "info":
        env = {"PORT": str(port), "LOG_LEVEL": "error", "COMPRESSION": "on", "CONSOLE_LOG": "off"}
        return measure.Server([program, str(ROOT / "services/info/src/server.js")], core, port, env), "/info"
    script = [str(ROOT / "bench/engine/server.js")] if name == "node" else []
    return measure.Server([program, *script, str(port)], core, port), "/"
