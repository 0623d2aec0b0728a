"""Two doors to the API: Django's test client, and HTTP to a server that runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from django.test import Client

BASE = "/api/v1"


@dataclass
class InProcess:
    token: str

    def call(self, method: str, path: str, body: object = None, **query: str) -> tuple[int, dict[str, Any]]:
        client = Client(headers={"Authorization": f"Bearer {self.token}"})
        content = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        answer = client.generic(method, BASE + path, query_params=query, **content)
        return answer.status_code, json.loads(answer.content)


@dataclass
class OverHttp:
    address: str
    token: str

    def call(self, method: str, path: str, body: object = None, **query: str) -> tuple[int, dict[str, Any]]:
        url = self.address + BASE + path + ("?" + urlencode(query) if query else "")
        request = Request(url, method=method, data=None if body is None else json.dumps(body).encode())
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except HTTPError as refusal:
            return refusal.code, json.load(refusal)
