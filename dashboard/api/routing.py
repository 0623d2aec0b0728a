"""All routes register on this one router: Django asks one view a path, so that GET and POST must meet there."""

from ninja import Router

router = Router()
