"""The servers of the benchmarks: each responds as fast as it can."""

import pathlib
import subprocess

import measure
from measure import ROOT, Failed

NAMES = ("nginx", "nghttpd", "responder", "node", "info")

NGINX_CONF = """
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log stderr error;
events {{ worker_connections 65536; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  http2_max_concurrent_streams 1024;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096{more};
    location / {{ {responds} }}
  }}
  {before}
}}
"""

# Passes each response on as it comes, over connections that are kept.
NGINX_PASSES = "proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ''; proxy_buffering off;"
NGINX_BEHIND = "upstream behind {{ server 127.0.0.1:{port}; keepalive 2048; keepalive_requests 1000000000; }}"


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


def nginx(core: int, directory: str, tls: bool, http2: bool, responds: str, before: str = "") -> measure.Server:
    program = measure.find("nginx")
    if program is None:
        raise Failed("nginx is not there; hint: bench/setup")
    port, conf = measure.free_port(), pathlib.Path(directory, "nginx.conf")
    more = " http2" * http2 + (NGINX_TLS.format(directory=directory) if tls else "")
    conf.write_text(NGINX_CONF.format(directory=directory, port=port, more=more, responds=responds, before=before))
    return measure.Server([program, "-p", directory, "-e", "stderr", "-c", str(conf)], core, port)


def front(port: int, core: int, directory: str, tls: bool, http2: bool) -> measure.Server:
    """An nginx that speaks TLS or HTTP/2 and passes each request on to a server that does not, at this port."""
    if tls:
        certificate(directory)
    return nginx(core, directory, tls, http2, NGINX_PASSES, NGINX_BEHIND.format(port=port))


def speaks(directory: str, tls: bool, protocol: str | None) -> list[str]:
    """What the servers of bench/servers are told, to speak TLS or another protocol than HTTP/1.1."""
    if tls:
        certificate(directory)
    return ["--tls", directory] * tls + ([f"--{protocol}"] if protocol else [])


def server(name: str, core: int, directory: str, tls: bool = False, http2: bool = False) -> tuple[measure.Server, str]:
    """A server that is yet to be entered, and the path to ask for. What it writes goes into the directory."""
    if (tls or http2) and name not in ("nginx", "nghttpd", "node"):
        raise Failed(f"{name} speaks neither TLS nor HTTP/2 here; hint: --against nginx")
    if name == "nghttpd" and not http2:
        raise Failed("nghttpd speaks HTTP/2 alone; hint: --http2 1x64")
    if tls:
        certificate(directory)
    port = measure.free_port()
    program = measure.find("node" if name == "info" else name)
    if program is None:
        raise Failed(f"{name} is not there; hint: bench/setup")
    if name == "nginx":
        return nginx(core, directory, tls, http2, "return 200 'ok';"), "/"
    if name == "info":
        env = {"PORT": str(port), "LOG_LEVEL": "error", "COMPRESSION": "on", "CONSOLE_LOG": "off"}
        return measure.Server([program, str(ROOT / "services/info/src/server.js")], core, port, env), "/info"
    keys = [f"{directory}/server.key", f"{directory}/server.pem"] if tls else []
    if name == "nghttpd":
        pathlib.Path(directory, "ok").write_text("ok")
        clear = [] if tls else ["--no-tls"]
        return measure.Server([program, *clear, "--max-concurrent-streams=1000", "-d", directory, str(port), *keys], core, port), "/ok"
    if name == "node":
        script = ROOT / "bench/engine/server.js"
        return measure.Server([program, str(script), str(port), "2" if http2 else "1.1", *keys], core, port), "/"
    return measure.Server([program, str(port)], core, port), "/"
