# Serves the site of the working directory, its own files, too: `python serve.py <port>`.
import os
import sys

sys.path.insert(0, os.getcwd())
os.environ['DJANGO_SETTINGS_MODULE'] = 'askbot_site.settings'

from django.core.wsgi import get_wsgi_application

site = get_wsgi_application()

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import run

run('127.0.0.1', int(sys.argv[1]), StaticFilesHandler(site), threading=True)
