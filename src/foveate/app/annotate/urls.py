"""Pages of Annotate."""

from __future__ import annotations

from django.urls import path

from foveate.app.annotate import photos
from foveate.app.annotate.views import exports, gallery, projects, settings, tasks, work

app_name = "annotate"
urlpatterns = [
    path("", work.mine, name="mine"),
    path("submissions/", work.my_submissions, name="my_submissions"),
    path("submissions/<int:pk>/picture.png", tasks.submission_picture, name="submission_picture"),
    path("work/<int:assignment>/", work.work, name="work"),
    path("work/<int:assignment>/picture.png", work.shown_picture, name="shown_picture"),
    path("new/", projects.new, name="new"),
    path("projects/", projects.projects, name="projects"),
    path("projects/<slug:slug>/", projects.project, name="project"),
    path("projects/<slug:slug>/change/<slug:name>/", projects.change, name="change"),
    path("projects/<slug:slug>/delete/", projects.remove, name="remove"),
    path("projects/<slug:slug>/settings/", settings.settings, name="settings"),
    path("projects/<slug:slug>/instructions/", work.instructions, name="instructions"),
    path("projects/<slug:slug>/instructions/write/", settings.write_instructions, name="write_instructions"),
    path("projects/<slug:slug>/tasks/", tasks.tasks, name="tasks"),
    path("projects/<slug:slug>/tasks/<int:pk>/", tasks.task, name="task"),
    path("projects/<slug:slug>/export/", exports.export, name="export"),
    path("projects/<slug:slug>/take/", work.take, name="take"),
    path("projects/<slug:slug>/photos/", gallery.gallery, name="gallery"),
    # The version in a photo's address makes it the address of this very photo, whatever has its task's number later.
    path("photos/<int:task>/<slug:version>/<slug:rendering>", photos.photo, name="photo"),
    path("photos/<int:task>/<slug:version>/tiles/<int:level>/<int:column>_<int:row>", photos.tile, name="tile"),
]
