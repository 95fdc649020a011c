"""The servers of the benchmarks: each responds as fast as it can."""

import pathlib
import subprocess

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
    listen 127.0.0.1:{port} backlog=4096{tls};
    location / {{ return 200 "ok"; }}
  }}
}}
"""


# As nginx is commonly set up: sessions are resumed by tickets.
NGINX_TLS = """ ssl;
    ssl_certificate {directory}/server.pem;
    ssl_certificate_key {directory}/server.key;
    ssl_protocols TLSv1.3"""


def certificate(directory: str) -> None:
    """Makes server.pem and server.key, for 127.0.0.1 and signed by themselves."""
    argv = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "7"]
    argv += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"]
    argv += ["-keyout", f"{directory}/server.key", "-out", f"{directory}/server.pem"]
    if subprocess.run(argv, capture_output=True, check=False).returncode != 0:
        raise Failed("no certificate was made; hint: install openssl")


def server(name: str, core: int, directory: str, tls: bool = False) -> tuple[measure.Server, str]:
    """A server that is yet to be entered, and the path to ask for. What it writes goes into the directory."""
    if tls and name != "nginx":
        raise Failed(f"{name} speaks no TLS here; hint: --against nginx")
    port = measure.free_port()
    program = measure.find("node" if name == "info" else name)
    if program is None:
        raise Failed(f"{name} is not there; hint: bench/setup")
    if name == "nginx":
        conf = pathlib.Path(directory, "nginx.conf")
        if tls:
            certificate(directory)
        listen = NGINX_TLS.format(directory=directory) if tls else ""
        conf.write_text(NGINX_CONF.format(directory=directory, port=port, tls=listen))
        return measure.Server([program, "-p", directory, "-e", "stderr", "-c", str(conf)], core, port), "/"
    if name == "info":
        env = {"PORT": str(port), "LOG_LEVEL": "error", "COMPRESSION": "on", "CONSOLE_LOG": "off"}
        return measure.Server([program, str(ROOT / "services/info/src/server.js")], core, port, env), "/info"
    script = [str(ROOT / "bench/engine/server.js")] if name == "node" else []
    return measure.Server([program, *script, str(port)], core, port), "/"
