"""The addresses of the pages on which facts are changed, added, compared, mapped and imported."""

from __future__ import annotations

from django.urls import URLPattern, path

from dashboard.views import adding, clocks, compare, editing, first, importing, live

urlpatterns: list[URLPattern] = [
    path("facts/<int:fact_id>/edit", editing.change, name="facts-edit"),
    path("facts/<int:fact_id>/saved", editing.saved, name="facts-saved"),
    path("facts/<int:fact_id>/undo", editing.undo, name="facts-undo"),
    path("facts/add", adding.add, name="facts-add"),
    path("facts/suggest", adding.suggest, name="facts-suggest"),
    path("facts/sheet", first.sheet, name="facts-sheet"),
    path("sample", first.sample, name="sample"),
    path("compare", compare.compare, name="compare"),
    path("subjects/<subject:name>/clocks", clocks.two_clocks, name="clocks"),
    path("import", importing.upload, name="import"),
    path("import/<str:token>", importing.one, name="import-one"),
    path("live", live.live, name="live"),
]
