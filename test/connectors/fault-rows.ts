import { dayFromNow } from './app-caller.ts'
import type { FaultCase } from './fault-table.ts'
import { dries } from './salon-booking-calls.ts'
import { northernLights } from './tour-activity-calls.ts'

const project = 'RW5nYWdlbWVudDoxMDE1OA=='
const bill = '41603252-2e2d-4e35-905a-d8039f8ea377'
const days = { activity_id: northernLights, from: dayFromNow(30), to: dayFromNow(31) }

/** A read and the writes of each app that meet every fault. */
export const faultCases: readonly FaultCase[] = [
  {
    slug: 'camping-host',
    read: ['get_booking', { booking_id: 'S100561' }],
    writes: [
      ['send_message', { conversation_id: 'C100369', message: 'Yes.' }],
      ['accept_booking_request', { booking_id: 'S100560' }],
      ['block_dates', { listing_id: 'L100001', from: dayFromNow(60), to: dayFromNow(60) }],
      ['update_pricing', { listing_id: 'L100001', dates: [dayFromNow(60)], nightly_price: 19.5 }],
    ],
    submitPath: '/host/chats',
  },
  {
    slug: 'course-school',
    read: ['get_lesson', { course_id: '100001', lesson_id: '120001' }],
    writes: [
      ['reply_to_comment', { comment_id: '150298', body: 'Hello' }],
      ['create_lesson', { course_id: '100001', section_id: '110001', title: 'New' }],
    ],
    submitPath: '/schools/mine/comments/150298/replies',
  },
  {
    slug: 'crm',
    read: ['get_project', { project_id: project }],
    writes: [['update_project_status', { project_id: project, status: 'In production' }]],
    submitPath: '/graphql',
  },
  {
    slug: 'digital-products',
    read: ['list_products', { type: 'course' }],
    writes: [
      ['resend_receipt', { order_id: 'S-101717' }],
      ['add_order_note', { order_id: 'S-101717', note: 'Called.' }],
      ['update_product', { product_id: 'W-100044', price: '7.00' }],
      ['create_coupon', { code: 'FAULT-5', discount: '5%', scope: 'collection', collection: 'Start here' }],
    ],
    submitPath: '/desk/sales',
  },
  {
    slug: 'event-management',
    read: ['list_sessions', { event_id: '1000980' }],
    writes: [
      ['add_attendee', { event_id: '1000980', first_name: 'New', last_name: 'Guest', email: 'new.guest@mail.example' }],
      ['update_session', { session_id: '1001239', description: 'Changed.' }],
      ['send_announcement', { event_id: '1000980', message: 'Thank you all.' }],
      ['message_speakers', { event_id: '1000980', message: 'Thank you.' }],
    ],
    submitPath: '/organizer/v1/gatherings',
  },
  {
    slug: 'field-jobs',
    read: ['list_invoices', { limit: 2 }],
    writes: [
      ['record_payment', { invoice_id: bill, amount: '1.00', method: 'cash' }],
      ['create_invoice', { job_id: 'bd15d4d7-ba9b-4cf7-90e9-d2ac10f11b30' }],
    ],
    submitPath: '/api/receipts',
  },
  {
    slug: 'field-service',
    read: ['get_customer', { customer_number: '1010001' }],
    writes: [
      ['create_job', { customer_number: '1010001', service_type: 'Boiler repair' }],
      ['create_customer', { name: 'New' }],
    ],
    submitPath: '/app/orders',
  },
  {
    slug: 'fitness-studio',
    read: ['list_classes', { from: dayFromNow(3) }],
    writes: [
      ['book_class_reservation', { class_id: 'S100188', member_id: 'C100001' }],
      ['message_class_registrants', { class_id: 'S100191', channel: 'text', message: 'Bring a mat.' }],
    ],
    submitPath: '/staff/desk/slots',
  },
  {
    slug: 'invitations',
    read: ['get_event', { event_id: 'event_100190' }],
    writes: [
      ['send_invitation', { event_id: 'event_100191' }],
      ['add_guests', { event_id: 'event_100190', guests: [{ name: 'New', phone: '+351 21 555 0134' }] }],
    ],
    submitPath: '/parties/100191/dispatch',
  },
  {
    slug: 'pet-salon',
    read: ['get_client', { client_id: 'C100001' }],
    writes: [
      ['void_appointment', { appointment_id: 'T100440', reason: 'Client fell ill' }],
      ['update_pet_notes', { pet_id: 'P100001', general: 'Shy.' }],
    ],
    submitPath: '/cloud/tkt',
  },
  {
    slug: 'photo-gallery',
    read: ['get_collection', { collection_id: 'gal_258g' }],
    writes: [
      ['share_collection', { collection_id: 'gal_258g', emails: ['a@mail.example'] }],
      ['create_collection', { name: 'New' }],
    ],
    submitPath: '/studio',
  },
  {
    slug: 'property-advertising',
    read: ['get_listing', { listing_id: 'CV-10094' }],
    writes: [
      ['reply_to_contact', { contact_id: '10104', message: 'Hello' }],
      ['update_listing', { listing_id: 'CV-10094', fields: { price: 1 } }],
    ],
    submitPath: '/inbox/10104/reply',
  },
  {
    slug: 'question-answer',
    read: ['get_space_stats', { space_id: '101145' }],
    writes: [
      ['ask_question', { question: 'Which map shows the wells?' }],
      ['post_to_space', { space_id: '101148', body_markdown: 'New' }],
    ],
    submitPath: '/ask',
  },
  {
    slug: 'real-estate-analytics',
    read: ['get_property_analysis', { property_id: 'h-25as' }],
    writes: [
      ['save_home', { property_id: 'h-25as' }],
      ['download_property_report', { property_id: 'h-25as' }],
      ['remove_saved_home', { property_id: 'h-25lf' }],
    ],
    submitPath: '/homes',
  },
  {
    slug: 'salon-booking',
    read: ['list_appointments', { from: dayFromNow(0) }],
    writes: [['add_client_note', { client_id: dries, text: 'Hello' }]],
    submitPath: '/api/v2/guests',
  },
  {
    slug: 'salon',
    read: ['list_appointments', { from: dayFromNow(7) }],
    writes: [
      ['cancel_appointment', { appointment_id: 'v1000306' }],
      ['reply_to_client', { conversation_id: 'k1001056', message: 'Yes, with pleasure.' }],
    ],
    submitPath: '/business/visits',
  },
  {
    slug: 'teacher-marketplace',
    read: ['list_products', { limit: 3 }],
    writes: [
      ['set_product_status', { product_id: '100002', status: 'active' }],
      ['update_product', { product_id: '100003', title: 'New', grades: ['3rd'] }],
    ],
    submitPath: '/shop/goods',
  },
  {
    slug: 'tour-activity',
    read: ['list_bookings', {}],
    writes: [
      ['close_dates', days],
      ['set_quota', { ...days, quota: 20 }],
    ],
    submitPath: '/desk/tours',
  },
  {
    slug: 'tour-supplier',
    read: ['get_booking', { booking_reference: '7100288' }],
    writes: [
      ['update_availability', { option_id: '2100008', date: dayFromNow(5), slots: { '05:45': 0 } }],
      ['reply_to_review', { review_id: '4100148', reply: 'Thank you!' }],
      ['update_pricing', { option_id: '2100011', prices: { adult: 59.5 } }],
      ['reply_to_message', { conversation_id: '5100083', message: 'See you there!' }],
    ],
    submitPath: '/extranet/rest/variants',
  },
  {
    slug: 'travel-booking',
    read: ['get_booking', { booking_id: 'FV259Z' }],
    writes: [
      ['cancel_booking', { booking_id: 'FV25A6', refund: { amount: 911.4, currency: 'EUR' } }],
      [
        'book_trip',
        {
          fare_id: 'O00100.MS5pc3QuYW5rLjMwLjMzLjIwMTAuMTVhNGwweg.SECOND',
          passengers: ['Zoë', 'José', 'Mia'].map((first_name) => ({ first_name, last_name: 'Núñez' })),
          total: { amount: 65, currency: 'EUR' },
        },
      ],
    ],
    submitPath: '/trips/bookings',
  },
  {
    slug: 'travel-log',
    read: ['get_trip', { trip_id: 'trip_1000040' }],
    writes: [
      ['reply_to_step_comment', { comment_id: 'comment_1000003', body: 'Thank you!' }],
      ['add_step', { trip_id: 'trip_1000064', place: 'Kathmandu', date: '2026-03-01T08:30:00+05:45' }],
    ],
    submitPath: '/remarks',
  },
  {
    slug: 'video-streaming',
    read: ['get_video', { video_id: 'v100078' }],
    writes: [
      ['publish_video', { video_id: 'v100087' }],
      ['create_coupon', { code: 'CALM-15', discount: '15%' }],
      ['upload_video', { file_url: 'https://media.example.com/a.mp4', title: 'New' }],
      ['update_video', { video_id: 'v100082', title: 'Renamed' }],
    ],
    submitPath: '/studio',
  },
]
