"""Signing in and out."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView


class SignIn(LoginView):
    template_name = "session/sign-in.html"
    redirect_authenticated_user = True


class SignOut(LogoutView):
    http_method_names = ["post", "options"]
