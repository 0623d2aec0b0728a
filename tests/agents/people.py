"""People who decide what agents asked for, with a browser session and its CSRF token."""

from __future__ import annotations

import json

from django.contrib.auth.models import Group, User
from django.test import Client

from tests.api.callers import ROOT, Answer, answer_of


class Person:
    def __init__(self, name: str, role: str) -> None:
        self.user = User.objects.create_user(name)
        self.user.groups.add(Group.objects.get_or_create(name=role)[0])
        self.client = Client()
        self.client.force_login(self.user)

    def get(self, path: str) -> Answer:
        return answer_of(self.client.get(ROOT + path))

    def post(self, path: str, body: object) -> Answer:
        return answer_of(self.client.post(ROOT + path, json.dumps(body), content_type="application/json"))

    def decide(self, approval: int, how: str = "approve", reason: str = "checked") -> Answer:
        return self.post(f"/approvals/{approval}/{how}", {"reason": reason})
