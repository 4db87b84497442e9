"""Makes the database that each run copies: one organizer with two events, their orders, vouchers, and the two people who may sign in."""

import datetime
import os
from decimal import Decimal

import django

os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'house')
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils.timezone import now  # noqa: E402
from django_scopes import scopes_disabled  # noqa: E402
from pretix.base.models import (  # noqa: E402
    CheckinList,
    Event,
    Order,
    OrderPayment,
    OrderPosition,
    Organizer,
    Team,
    User,
)

names = [
    'Ada Özdemir', 'Brigid O’Hara', 'Chloé Dubois', 'Dmitri Волков', 'Eun-ji Park', 'Farid Haddad', 'Grace <Amazing> Hopper',
    'Håkon Sørensen', 'Inês Conceição', 'José Álvarez', 'Kwame Mensah', 'Łukasz Nowak',
]


def people():
    organizer = Organizer.objects.create(name='Kulturhaus Linden', slug='linden')
    team = Team.objects.create(
        organizer=organizer, name='Office', all_events=True, all_event_permissions=True, all_organizer_permissions=True
    )
    for name, email in (('Mara Lind', 'mara@linden.example'), ('Tomás Reyes', 'tomas@linden.example')):
        user = User.objects.create_user(email, os.environ['SEED_PASSWORD'], fullname=name, locale='en', timezone='Europe/Berlin')
        user.save()
        team.members.add(user)
    return organizer


def event(organizer, slug, name, days):
    start = (now() + datetime.timedelta(days=days)).replace(hour=18, minute=30, second=0, microsecond=0)
    made = Event.objects.create(
        organizer=organizer, slug=slug, name=name, date_from=start, date_to=start + datetime.timedelta(hours=3), currency='EUR',
        location='Lindenstraße 4\nBerlin', live=True, plugins='pretix.plugins.banktransfer,pretix.plugins.manualpayment,pretix.plugins.sendmail,pretix.plugins.checkinlists',
    )
    made.set_defaults()
    made.settings.timezone = 'Europe/Berlin'
    made.settings.locales = ['en']
    made.settings.locale = 'en'
    made.settings.mail_attach_ical = False
    made.settings.attendee_names_asked = True
    made.settings.attendee_emails_asked = True
    made.settings.payment_manual__enabled = True
    return made


def order(of, code, name, price, status, age, item, places=1):
    """An order of so many places, whose first attendee has the name of the one who ordered."""
    made = Order.objects.create(
        event=of, code=code, email=f'guest.{code.lower()}@mail.example', locale='en', status=status,
        datetime=now() - datetime.timedelta(days=age), expires=now() + datetime.timedelta(days=14),
        total=price * places, sales_channel=of.organizer.sales_channels.get(identifier='web'),
    )
    for number in range(1, places + 1):
        OrderPosition.objects.create(
            order=made, item=item, price=price, positionid=number,
            attendee_name_parts={'_scheme': 'full', 'full_name': name if number == 1 else f'Guest {number} of {name}'},
            attendee_email=f'{code.lower()}.{number}@mail.example',
        )
    if price:
        paid = status == Order.STATUS_PAID
        made.payments.create(
            provider='manual', amount=made.total,
            state=OrderPayment.PAYMENT_STATE_CONFIRMED if paid else OrderPayment.PAYMENT_STATE_CREATED,
        )
    made.create_transactions()
    return made


def concert(organizer):
    made = event(organizer, 'sommer', 'Sommerkonzert', 60)
    seat = made.items.create(name='Seat', default_price=Decimal('24.50'), admission=True, personalized=True)
    standing = made.items.create(name='Standing room', default_price=Decimal('12.00'), admission=True, personalized=True)
    programme = made.items.create(name='Programme', default_price=Decimal('3.00'), admission=False)
    for name, size, item in (('Seats', 120, seat), ('Standing', 40, standing), ('Programmes', None, programme)):
        made.quotas.create(name=name, size=size).items.add(item)
    made.checkin_lists.all().delete()
    doors = CheckinList.objects.create(event=made, name='Doors', all_products=True)
    for number in range(30):
        name = names[number % len(names)]
        status = (Order.STATUS_PAID, Order.STATUS_PENDING, Order.STATUS_PAID)[number % 3]
        item, price = (seat, Decimal('24.50')) if number % 4 else (standing, Decimal('12.00'))
        order(made, f'SOM{chr(65 + number // 5)}{chr(65 + number % 5)}', name, price, status, number + 1, item, 1 + number % 2)
    noted = Order.objects.get(code='SOMAB')
    noted.comment = 'Asked for an aisle seat.'
    noted.checkin_attention = True
    noted.checkin_text = 'Bring the folding ramp.'
    noted.custom_followup_at = datetime.date(2031, 5, 4)
    noted.save()
    arrived = OrderPosition.objects.get(order__code='SOMAA', positionid=1)
    doors.checkins.create(position=arrived, datetime=now() - datetime.timedelta(hours=2), successful=True)
    made.vouchers.create(code='FRIENDS10', max_usages=10, price_mode='percent', value=Decimal('10.00'), comment='For friends of the house', item=seat, tag='friends')
    made.vouchers.create(code='PRESS-2031', max_usages=1, price_mode='set', value=Decimal('0.00'), tag='press', valid_until=now() + datetime.timedelta(days=30))


def reading(organizer):
    made = event(organizer, 'lesung', 'Lesung: “Nachtzug & Ähnliches”', 25)
    seat = made.items.create(name='Chair', default_price=Decimal('0.00'), admission=True, personalized=True)
    made.quotas.create(name='Chairs', size=30).items.add(seat)
    waiting = order(made, 'LESAA', 'Mei-Ling Wu', Decimal('0.00'), Order.STATUS_PENDING, 2, seat)
    waiting.require_approval = True
    waiting.save()
    waiting.create_transactions()
    asking = order(made, 'LESAB', 'Nils Åberg', Decimal('0.00'), Order.STATUS_PENDING, 1, seat)
    asking.require_approval = True
    asking.save()
    asking.create_transactions()


call_command('migrate', run_syncdb=True, verbosity=0)
with scopes_disabled(), transaction.atomic():
    house = people()
    concert(house)
    reading(house)
