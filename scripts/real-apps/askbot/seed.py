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

joe, first, second, third = (User.objects.get(username=name) for name in ('joe', 'test_user_0', 'test_user_1', 'test_user_2'))
flour = joe.post_question(
    title='Which flour makes the best baguette?',
    body_text='The crumb is **too dense** with what the shop here has.',
    tags='baking flour',
)
first.post_answer(question=flour, body_text='One with little ash and much protein.')
joe.accept_best_answer(second.post_answer(question=flour, body_text='Any that is fresh: mill it on the day.'))
third.post_comment(parent_post=flour, body_text='Which one does the shop have?')

closed = third.post_question(
    title='Is there a recipe for everything?',
    body_text='I would like to have one for all that there is.',
    tags='recipes',
)
third.close_question(closed, reason=1)
