# Run by `manage.py shell`: who signs in, and that person's one question. The other questions come from askbot_add_test_content.
import os

from askbot.models import User
from django.core.management import call_command

call_command('askbot_add_user', user_name=os.environ['PERSON'], email='ada@example.org', password=os.environ['PASSWORD'])
person = User.objects.get(username=os.environ['PERSON'])
# Voting and the like want a reputation.
person.receive_reputation(500, 'en')
person.save()
person.post_question(
    title='How do I keep sourdough alive while I travel?',
    body_text='I am away for three weeks and nobody here wants to feed it.',
    tags='baking sourdough',
)
