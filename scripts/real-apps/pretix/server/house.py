"""pretix as its wheel has it, but for what a house of one room does otherwise: letters go into a folder, and tables are made of the models as they are now."""

import os
from pathlib import Path

from pretix.settings import *  # noqa: F403

EMAIL_BACKEND = 'django.core.mail.backends.filebased.EmailBackend'
EMAIL_FILE_PATH = Path(os.environ['DATA_DIR']) / 'letters'


class NoMigrations:
    """Its 800 migrations would take minutes."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


MIGRATION_MODULES = NoMigrations()

# Templates of the data folder come before pretix' own, and are read anew each time: a test changes them while it runs.
TEMPLATES[0]['OPTIONS']['loaders'] = (  # noqa: F405
    'django.template.loaders.filesystem.Loader',
    ('django.template.loaders.cached.Loader', template_loaders),  # noqa: F405
)
