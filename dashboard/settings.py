"""Settings, all from the environment; the defaults serve one machine with SQLite."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str) -> bool:
    return os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"}


DEBUG = _flag("DEBUG")
SECRET_KEY = os.environ.get("SECRET_KEY", "")
if not SECRET_KEY:
    if "serve" in sys.argv[1:2] and not DEBUG:
        raise ImproperlyConfigured("SECRET_KEY is not set: set it to a long random text before serving.")
    SECRET_KEY = "development only, never used by manage.py serve"

ALLOWED_HOSTS = [host for host in os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",") if host]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tables2",
    "django_filters",
    "brain",
    "dashboard",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
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
POSTGRESQL_OPTIONS = {"server_side_binding": True}


def _database() -> dict[str, object]:
    default = f"sqlite:///{BASE_DIR / 'data' / 'brain.db'}"
    database: dict[str, object] = dict(dj_database_url.parse(os.environ.get("DATABASE_URL") or default))
    engine = str(database["ENGINE"])
    options = dict(database.get("OPTIONS") or {})  # type: ignore[call-overload]
    if engine.endswith("sqlite3"):
        database["OPTIONS"] = {**SQLITE_OPTIONS, **options}
        Path(str(database["NAME"])).parent.mkdir(parents=True, exist_ok=True)
    elif engine.endswith("postgresql"):
        database["OPTIONS"] = {**POSTGRESQL_OPTIONS, **options}
    else:
        raise ImproperlyConfigured("DATABASE_URL must begin with sqlite:/// or postgres://")
    database["CONN_MAX_AGE"] = None
    return database


DATABASES = {"default": _database()}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
BRAIN_TIME_ZONE = os.environ.get("BRAIN_TIME_ZONE", "UTC")

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
