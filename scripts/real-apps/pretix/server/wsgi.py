"""pretix with its static files beside it, which a web server in front of it has elsewhere."""

from pathlib import Path

import pretix
from pretix.wsgi import application as pages
from whitenoise import WhiteNoise

static = Path(pretix.__file__).parent / 'static.dist'
# Looked up as they are asked for: to list them all first would take a second.
application = WhiteNoise(pages, root=static, prefix='static/', autorefresh=True)
