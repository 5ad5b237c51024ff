"""Django's admin of accounts, to look and not to touch: what is done to people is done on their pages, and noted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.http import HttpRequest

from foveate.app.accounts.models import ApiToken, AuditEvent, Invitation, User

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class ReadOnly(ModelAdmin):
    """Rows that nobody adds, changes or deletes here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Returns that nobody adds."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Returns that nobody changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Returns that nobody deletes."""
        return False


@admin.register(User)
class UserAdmin(ReadOnly):
    """People; not their hashed passwords."""

    list_display = ("username", "display_name", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser", "groups")
    search_fields = ("username", "display_name", "email")
    exclude: ClassVar = ["password", "user_permissions"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    """Invitations; not the hashes of their codes."""

    list_display = ("made_at", "role", "project", "challenge", "made_by", "uses_left", "expires_at", "withdrawn_at")
    list_filter = ("role",)
    list_select_related = ("project", "challenge", "made_by")
    exclude: ClassVar = ["digest"]


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly):
    """Tokens; not their hashes."""

    list_display = ("prefix", "name", "user", "made_at", "used_at", "expires_at", "withdrawn_at")
    list_select_related = ("user",)
    exclude: ClassVar = ["digest"]


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnly):
    """What was done."""

    list_display = ("at", "actor", "action", "about", "address")
    list_filter = ("action",)
    list_select_related = ("actor",)
    date_hierarchy = "at"


# The groups are the roles: renamed or deleted ones would take them from everybody.
# (`GroupAdmin` is imported so that it is registered by now.)
if isinstance(admin.site.get_model_admin(Group), GroupAdmin):
    admin.site.unregister(Group)
