# On top of the settings that askbot-setup makes: its data is where ASKBOT_DATA says, and what is changed in its templates shows at once.
import os

DATA = os.environ['ASKBOT_DATA']
DATABASES = {
    'default': {
        'ENGINE': 'django.db.backends.sqlite3',
        'NAME': os.path.join(DATA, 'askbot.sqlite'),
        # Its pages and whoever looks at its data must not meet at a lock.
        'OPTIONS': {'timeout': 20, 'init_command': 'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;'},
    }
}
ALLOWED_HOSTS = ['127.0.0.1']
EMAIL_BACKEND = 'django.core.mail.backends.dummy.EmailBackend'
TEMPLATES[0]['DIRS'] = [os.path.join(DATA, 'templates')]
TEMPLATES[0]['OPTIONS']['auto_reload'] = True
# The usual one takes half a second for each of the many people of the test content.
PASSWORD_HASHERS = ['django.contrib.auth.hashers.ScryptPasswordHasher']
