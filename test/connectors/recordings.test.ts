import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App, JsonSchema } from '../../connectors/registry.ts'
import { groupWords } from '../../connectors/kit/groups.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { AppDocsPage } from '../../web/docs/app-docs-page.tsx'
import { objectsIn, propertiesOf, requiredOf } from '../../web/parts/schema.ts'
import { dayFromNow } from './app-caller.ts'

/** `npm run examples` rewrites the recordings: what stands here was written by hand, and no command touches it. */
const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })
const every = apps.flatMap(({ endpoints }) => [...endpoints.values()])
const pageOf = (app: App): string =>
  renderToString(AppDocsPage({ viewer: undefined, app, publicUrl: 'http://gateway', example: () => undefined }))

/** Of one answer of each app what the sandbox's seed has, value by value under its name: none may stand under another's. */
const facts: Readonly<Record<string, Fields>> = {
  'camping-host.get_booking': {
    site: 'Yurt 2',
    camper: 'Özge Ş.',
    arrival: dayFromNow(97),
    departure: dayFromNow(99),
    guests: 8,
    nights: 2,
    nightly_price: 28,
    total: 56,
    currency: 'EUR',
    status: 'pending_request',
  },
  'course-school.get_lesson': { lesson_id: '120001', name: 'Häufige Fehler', published: true },
  'crm.get_project': {
    title: 'Corporate headshots, 40 people',
    client: { client_id: 'UGVyc29uOjEwMDIz', name: 'Eun-ji Okonkwo-Smythe', email: 'Guest.1.23@mail.example' },
    category: 'job',
    status: 'Reunião marcada',
    project_date: dayFromNow(89),
  },
  'digital-products.get_sales_stats': {
    daily_views: [64, 156, 161].map((views, at) => ({ date: dayFromNow(at - 4), views })),
    daily_sales: ['117.62', '235.00', '0.00'].map((amount, at) => ({ date: dayFromNow(at - 4), amount })),
  },
  'event-management.get_post_event_report': {
    sections: [{ title: 'Attendance', text: 'Guests: 130\nArrived: 87\nDid not come: 43' }],
  },
  'field-jobs.get_job': {
    status: 'Done',
    job_type: 'Gutter & roof',
    client: { name: 'אברהם שפירא', phone: '+233 36 391 1017' },
    window: { start: `${dayFromNow(-9)}T13:30:00Z`, end: `${dayFromNow(-9)}T15:30:00Z` },
  },
  'field-service.get_customer': {
    name: 'Renée Byrne',
    email: 'client.1.57@post.example',
    phone: '+49 30 8126 961',
    service_address: 'Straße des 17. Juni 79, 59725 تل أبيب, Deutschland',
    billing_address: 'Rua das Flores 136, 69903 İstanbul, Deutschland',
  },
  'fitness-studio.get_member': { name: 'Abena Şahin', email: 'abenasahin.3@mail.example' },
  'invitations.get_event': {
    title: 'Hochzeit Noah Brown',
    type: 'flyer',
    status: 'sent',
    event_date: `${dayFromNow(104)}T11:00:00Z`,
    host_name: 'Inês Conceição',
    location: 'Quinta da Serra, Sintra',
    time_zone: 'America/New_York',
  },
  'pet-salon.get_appointment': {
    status: 'Scheduled',
    client: 'Chloë Ito',
    pet: 'Sir Barks-a-Lot',
    employee: 'Zoë van der Meer',
    services: [
      { name: 'Lion Cut', price: 60 },
      { name: 'Teeth Brushing', price: 7.5 },
    ],
    appointment_notes: 'No perfume — “allergic”',
    confirmation_type: 'Text',
    deposit: 10,
  },
  'photo-gallery.get_collection': {
    name: 'Les fiançailles de Chloé Smith-Jones',
    event_date: dayFromNow(-21),
    photos: 14,
    password_protected: false,
    download_pin: false,
  },
  'property-advertising.get_listing': {
    operation: 'rent',
    status: 'active',
    price: 2996.3,
    currency: 'PLN',
    size_m2: 37.1,
    rooms: 0,
    bathrooms: 3,
  },
  'question-answer.get_space_stats': {
    all_time: { views: 44_225, followers: 428, upvotes: 5609, comments: 728, notification_clicks: 1344 },
    last_7_days: { views: 3517, followers: 34, upvotes: 173, comments: 22, notification_clicks: 119 },
  },
  'real-estate-analytics.get_property_analysis': {
    address: '49180 Elm St, Austin, TX',
    price: 114_000,
    cash_invested: 27_360,
    vacation: {
      monthly_revenue: 2568,
      monthly_mortgage: 576,
      monthly_cash_flow: 912,
      cap_rate: 15.66,
      cash_on_cash: 40,
    },
    traditional: {
      monthly_revenue: 956,
      monthly_mortgage: 576,
      monthly_cash_flow: 84,
      cap_rate: 6.95,
      cash_on_cash: 3.68,
    },
  },
  'salon.book_appointment': {
    client: 'Ana Eriksen',
    service: 'Cut & blow-dry',
    provider: 'ليلى منصور',
    start: `${dayFromNow(9)}T17:00:00-03:00`,
    end: `${dayFromNow(9)}T18:00:00-03:00`,
    status: 'Booked',
    price: { amount: '247.50', currency: 'BRL' },
  },
  'salon-booking.get_client': { name: 'Åsa Ørsted', phone: '+351 917 153 101', allergies: [] },
  'teacher-marketplace.get_product_stats': {
    earnings_cents: 6720,
    units_sold: 8,
    views: 101,
    conversion: 0.0792,
    wish_listed: 8,
    saved_for_later: 6,
  },
  'tour-activity.get_booking': {
    activity: 'Norðurljós: northern lights by super jeep',
    date: dayFromNow(30),
    time: '10:00',
    people: 5,
    status: 'confirmed',
    price: { amount: '745.00', currency: 'EUR' },
  },
  'tour-supplier.get_booking': {
    date: dayFromNow(2),
    time: '13:00',
    status: 'confirmed',
    travelers: { adult: 2, child: 1 },
    price: { amount: 117.5, currency: 'EUR' },
  },
  'travel-booking.get_trip': {
    mode: 'train',
    operator: 'Anadolu Hızlı',
    legs: [
      {
        from: 'İstanbul, Söğütlüçeşme',
        to: 'Ankara, Ankara Garı',
        departs: `${dayFromNow(30)}T06:00:00+03:00`,
        arrives: `${dayFromNow(30)}T10:30:00+03:00`,
      },
    ],
  },
  'travel-log.get_trip': {
    name: '一人旅・ Singapore',
    start_date: dayFromNow(-1076),
    end_date: dayFromNow(-1053),
    privacy: 'only_me',
    steps: 9,
    distance_km: 5492.566,
    countries: ['Singapore', 'Japan'],
  },
  'video-streaming.get_video': {
    title: 'Łagodna joga #7 69',
    status: 'scheduled',
    release_at: `${dayFromNow(71)}T11:20:00Z`,
    description: 'Bring a mat and a glass of water.',
    coming_soon: true,
  },
}

describe('the recorded examples', () => {
  test.each(Object.entries(facts))('%s has each value of the seed under its own name', (id, wanted) => {
    const [slug = '', name = ''] = id.split('.')
    expect(exampleOf(slug, name, new Date())?.output).toMatchObject(wanted)
  })

  test('are looked at in each app', () => {
    expect(new Set(Object.keys(facts).map((id) => id.split('.')[0]))).toEqual(new Set(apps.map(({ slug }) => slug)))
  })

  /** Where the app gives its own, fuller name of what it was told. */
  const fuller = new Set(['real-estate-analytics.run_filter_preset location', 'video-streaming.create_coupon discount'])
  /** Moments may come back in another offset. */
  const plain = (value: unknown): unknown =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value
  const isPlain = (value: unknown): boolean =>
    typeof value !== 'object' || (Array.isArray(value) && !value.some(isFields))

  test('give back what they were given, wherever an answer has a plain value of the same name', () => {
    const echoes = every.flatMap(({ app, name }) => {
      const { input = {}, output = {} } = exampleOf(app, name, new Date()) ?? {}
      return Object.entries(input)
        .filter(([field, value]) => Object.hasOwn(output, field) && isPlain(value))
        .map(([field, value]) => ({ of: `${app}.${name} ${field}`, given: plain(value), back: plain(output[field]) }))
    })
    expect(echoes.length).toBeGreaterThan(300)
    for (const { of, given, back } of echoes) {
      if (fuller.has(of)) expect(back, of).toContain(given)
      else expect([of, back]).toEqual([of, given])
    }
  })
})

describe('the docs page of an app', () => {
  /** What the page says of each endpoint, in order: inputs, then outputs. */
  const sectionsOf = (app: App): ReadonlyMap<string, readonly [inputs: string, outputs: string]> =>
    new Map(
      pageOf(app)
        .split('<section class="card endpoint" id="')
        .slice(1)
        .map((section) => {
          const [inputs = '', outputs = ''] = section.split('<summary>Output</summary>')
          return [section.slice(0, section.indexOf('"')), [inputs, outputs]]
        }),
    )
  /** The names of its inputs, those of nested objects in their place, and which are required. */
  const inputsOf = (schema: JsonSchema): string[] =>
    Object.entries(propertiesOf(schema)).flatMap(([name, property]) => [
      `${name}${requiredOf(schema).includes(name) ? ' (required)' : ''}`,
      ...objectsIn(property).flatMap(inputsOf),
    ])

  test.each(apps)('$slug has each endpoint with its access, its approval and what it takes', (app) => {
    const sections = sectionsOf(app)
    expect([...sections.keys()]).toEqual([...app.endpoints.keys()])
    for (const { name, label, access, confirm, credits, inputSchema } of app.endpoints.values()) {
      const [inputs] = sections.get(name)!
      expect(inputs.replaceAll(/&#39;|&quot;/g, "'")).toContain(`${label} <code>${name}</code>`)
      const tags = [...inputs.matchAll(/<span class="tag[^"]*">([^<]*)</g)].map(([, tag]) => tag)
      const price = `${credits} credit${credits === 1 ? '' : 's'}`
      expect([name, tags]).toEqual([name, [access, ...(confirm ? ['waits for approval'] : []), price]])
      const listed = [...inputs.matchAll(/<dt>.*?<code>(\w+)<\/code>(.*?)<\/dt>/g)].map(
        ([, field = '', rest = '']) => `${field}${rest.includes('required') ? ' (required)' : ''}`,
      )
      expect([name, listed]).toEqual([name, inputsOf(inputSchema)])
      for (const words of groupWords(inputSchema)) expect(inputs, name).toContain(`Takes ${words}.`)
    }
  })

  test.each([
    ['pet-salon', 'void_appointment', 'void_card_transactions', 'true or false, default false true: its card'],
    ['pet-salon', 'get_appointment', 'price', 'number What it costs in this appointment'],
    ['pet-salon', 'get_appointment', 'pet', 'text or null What the pet is called;'],
    ['pet-salon', 'list_vaccination_alerts', 'upcoming_only', 'true or false, default false'],
    ['camping-host', 'list_messages', 'filter', ', default "unread"'],
  ])('of %s says under %s in plain words what kind of value %s is', (slug, name, field, words) => {
    const text = (sectionsOf(apps.find((app) => app.slug === slug)!).get(name) ?? []).join(' ')
    const about = text.split(`<code>${field}</code>`).slice(1).join(' ')
    const plain = about.replaceAll(/<\/?span[^>]*>/g, '').replaceAll(/<[^>]*>/g, ' ')
    expect(plain.replaceAll('&quot;', '"').replaceAll(/\s+/g, ' ')).toContain(words)
  })
})
