"""Django's settings, made of `Config`; nothing here is for a user to edit."""

from __future__ import annotations

from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from foveate.app import logs
from foveate.app.config import Config

CONFIG = Config.from_environment()

DEBUG = CONFIG.debug
SECRET_KEY = CONFIG.secret()
ALLOWED_HOSTS = list(CONFIG.hosts)
CSRF_TRUSTED_ORIGINS = [f"https://{name}" for name in CONFIG.hosts] if CONFIG.https else []

INSTALLED_APPS = [
    "foveate.app.frame",
    "foveate.app.accounts",
    "foveate.app.annotate",
    "foveate.app.admission",
    "foveate.app.review",
    "foveate.app.adjudicate",
    "foveate.app.rounds",
    "foveate.app.talk",
    "foveate.app.challenges",
    "foveate.app.ask",
    "ninja",
    "csp",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "foveate.app.middleware.requests.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "foveate.app.middleware.refusals.Refusals",
    "foveate.app.ask.uploads.PhotosInMemory",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "foveate.app.accounts.middleware.TimezoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
ROOT_URLCONF = "foveate.app.urls"
WSGI_APPLICATION = "foveate.app.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "foveate.app.frame.context.frame",
                "foveate.app.accounts.context.people",
            ],
        },
    }
]
FORM_RENDERER = "foveate.app.frame.forms.FrameRenderer"


def _database() -> dict[str, Any]:
    # A path may hold letters that mean something in a URL, so the usual place is not said by one.
    database: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3", "NAME": CONFIG.folder / "foveate.sqlite3"}
    if CONFIG.database_url:
        database = dict(dj_database_url.parse(CONFIG.database_url, conn_max_age=600, conn_health_checks=True))
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # An immediate transaction waits for its turn when it begins, instead of failing in its middle; a commit is on
        # the disk before it is acknowledged (`synchronous` FULL), so that a save outlives a crash of the machine too.
        database["CONN_MAX_AGE"] = None
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        }
    return database


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "foveate"}}

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
# How long a one-time link for a password is good: a day.
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "display_name", "email")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_I18N = True
FORMAT_MODULE_PATH = "foveate.app.frame.formats"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
MEDIA_ROOT = CONFIG.folder / "media"
# The files in the package are served as they are, without a step that collects them first.
WHITENOISE_USE_FINDERS = True

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CONFIG.https
CSRF_COOKIE_SECURE = CONFIG.https
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
# Browsers that once came by HTTPS never come without it again. Which proxy is believed, the HTTP server decides.
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if CONFIG.https else 0
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "foveate.app.frame.errors.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# What one request may bring, unless its view takes files; more is refused before it is read.
MOST_BYTES = DATA_UPLOAD_MAX_MEMORY_SIZE
# What a call of the API may bring: an outline of 5,000 points with all of its digits fits twice.
MOST_API_BYTES = 512 * 1024
# An address is what the HTTP server says it is, never what a header claims.
NINJA_NUM_PROXIES = 0
API_RATE = CONFIG.api_rate
# How often a person begins to send a file, and how much room such files have.
UPLOAD_RATE = CONFIG.upload_rate
ENTRY_SPACE = CONFIG.entry_space
LOGGING = logs.config(CONFIG.logs)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
