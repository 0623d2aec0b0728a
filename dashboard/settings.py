"""Settings, all from the environment; the defaults serve one machine with SQLite."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str) -> bool:
    return os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"}


def _names(name: str, default: str) -> list[str]:
    return [entry.strip() for entry in os.environ.get(name, default).split(",") if entry.strip()]


DEBUG = _flag("DEBUG")
# `serve` refuses to start without a key; other commands sign nothing that outlives them.
SECRET_KEY = os.environ.get("SECRET_KEY") or ("for development only" if DEBUG else secrets.token_urlsafe(48))
ALLOWED_HOSTS = _names("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")

INSTALLED_APPS = [
    "dashboard.apps.DashboardAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tables2",
    "django_filters",
    "brain",
    "dashboard.apps.DashboardConfig",
]

MIDDLEWARE = [
    "dashboard.api.outside.problems",
    "django.middleware.security.SecurityMiddleware",
    "dashboard.api.outside.short_way",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dashboard.middleware.SignInRequired",
    "dashboard.middleware.reader_zone",
]

ROOT_URLCONF = "dashboard.urls"
WSGI_APPLICATION = "dashboard.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dashboard.nav.site",
            ]
        },
    }
]

SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 5,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
        "PRAGMA secure_delete=ON; PRAGMA busy_timeout=5000; PRAGMA cache_size=-65536;"
    ),
}
POSTGRESQL_OPTIONS = {"server_side_binding": True, "prepare_threshold": 5}


def _database() -> dict[str, object]:
    default = f"sqlite:///{BASE_DIR / 'data' / 'brain.db'}"
    try:
        database: dict[str, object] = dict(dj_database_url.parse(os.environ.get("DATABASE_URL") or default))
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL: {error}") from error
    engine, given = str(database["ENGINE"]), database.get("OPTIONS") or {}
    if engine.endswith("sqlite3"):
        database["OPTIONS"] = SQLITE_OPTIONS | given  # type: ignore[operator]
        Path(str(database["NAME"])).parent.mkdir(parents=True, exist_ok=True)
    elif engine.endswith("postgresql"):
        database["OPTIONS"] = POSTGRESQL_OPTIONS | given  # type: ignore[operator]
    else:
        raise ImproperlyConfigured("DATABASE_URL must begin with sqlite:/// or postgres://")
    database |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}  # prepared statements outlive no migration for long
    return database


def _time_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ImproperlyConfigured(f"BRAIN_TIME_ZONE: there is no time zone {name!r}") from error
    return name


def _days(name: str, default: int) -> int:
    given = os.environ.get(name, str(default))
    if not given.isascii() or not given.isdigit():
        raise ImproperlyConfigured(f"{name} must be a number of days")
    return int(given)


DATABASES = {"default": _database()}

DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024  # a batch of facts; other bodies are held to less by the API

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
BRAIN_TIME_ZONE = _time_zone(os.environ.get("BRAIN_TIME_ZONE", "UTC"))

BRAIN_FADING = os.environ.get("BRAIN_FADING") or "{}"  # JSON, e.g. {"context": {"factor": 0.9, "days": 5}}
BRAIN_APPROVAL_DAYS = _days("BRAIN_APPROVAL_DAYS", 7)  # until an undecided approval expires
BRAIN_RECEIPT_DAYS = _days("BRAIN_RECEIPT_DAYS", 0)  # that receipts are kept; 0: for good
# "wordllama", the address of an OpenAI-compatible endpoint, or nothing: then only words are searched
BRAIN_EMBEDDING = os.environ.get("BRAIN_EMBEDDING", "wordllama")
BRAIN_EMBEDDING_MODEL = os.environ.get("BRAIN_EMBEDDING_MODEL", "text-embedding-3-small")
BRAIN_EMBEDDING_KEY = os.environ.get("BRAIN_EMBEDDING_KEY", "")

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = os.environ.get("BRAIN_STATIC_ROOT")  # `serve` collects into a directory of its own and names it here
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage."
        + ("ManifestStaticFilesStorage" if STATIC_ROOT else "StaticFilesStorage")
    },
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{rule}"}
    for rule in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

if _flag("BRAIN_HTTPS"):  # behind a proxy that ends TLS and sets X-Forwarded-Proto
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "mcp": {"level": "WARNING"},
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "dashboard.roles.AdministratorBackend"]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "facts"
LOGOUT_REDIRECT_URL = "sign-in"

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
DJANGO_TABLES2_TEMPLATE = "table.html"
