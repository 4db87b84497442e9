import type { Fields } from '../../../connectors/kit/wire.ts'
import { dayFromNow } from '../app-caller.ts'

/** Further inputs of a write, laid over the recorded example, so that each input is there once; undefined takes away. */
export const furtherInputs: Readonly<Record<string, readonly Fields[]>> = {
  'camping-host.unblock_dates': [{ site_id: 'P100008' }],
  'course-school.publish_lesson': [{ published: true }],
  'course-school.update_lesson': [{ block_id: '130138' }],
  'course-school.send_email': [{ to: { user_ids: ['140170', '140168'] } }, { to: { all_users: true } }],
  'course-school.create_coupon': [{ applies_to: 'plan:160002' }, { applies_to: 'all_products' }],
  'crm.create_project': [{ client: undefined, client_id: 'UGVyc29uOjEwMTA0' }],
  'crm.apply_form_template': [{ name: 'Questions for João & Zoë' }],
  'crm.create_invoice': [
    { packages: [{ name: 'Full day', quantity: 3 }], items: undefined, payment_plan: undefined, currency: 'EUR' },
    { packages: undefined, items: [{ name: 'Travel', quantity: 2, price: '120.50' }], payment_plan: undefined },
  ],
  'crm.record_manual_payment': [{ currency: 'EUR' }],
  'crm.send_invoice': [{ message: 'Thank you, João!' }],
  'digital-products.create_coupon': [
    { scope: 'product', product_id: 'W-100044', collection: undefined },
    { scope: 'order', collection: undefined },
  ],
  'digital-products.update_product': [{ title: 'Posters: Été', description: 'Seven now.' }],
  'event-management.update_session': [{ speakers: ['Zoë Kiss', 'Ömer Ay'] }],
  'event-management.message_speakers': [{ subject: 'Slides' }],
  'field-jobs.assign_job': [
    { job_id: 'bd15d4d7-ba9b-4cf7-90e9-d2ac10f11b30', unassign: ['3cbd7764-ba23-4a2f-9e50-e1e031ac105d'] },
  ],
  'field-jobs.create_job': [
    { address: 'Rear gate, Fjord Way 2' },
    {
      client_id: undefined,
      client: { name: 'Abla', phone: '+49 30 5550 118', email: 'abla@mail.example', address: 'Fjord Way 1' },
    },
  ],
  'field-jobs.create_estimate': [{ notes: 'Two visits.' }],
  'field-jobs.send_estimate': [{ via: 'email' }],
  'field-jobs.record_payment': [
    { received_at: `${dayFromNow(-2)}T10:00:00Z` },
    { invoice_id: undefined, job_id: 'bd15d4d7-ba9b-4cf7-90e9-d2ac10f11b30', amount: '10.00' },
  ],
  'field-jobs.send_invoice': [{ via: 'email' }],
  'field-service.create_customer': [
    {
      is_company: true,
      service_address: { street: 'Way 1', city: 'Köln', state: 'NRW', zip_code: '50667', country: 'Deutschland' },
      billing_address: { street: 'Weg 2', city: 'Łódź', state: 'LD', zip_code: '90-001', country: 'Polska' },
    },
  ],
  'field-service.add_charge': [{ notes: 'From the van.' }],
  'field-service.schedule_event': [{ notes: 'Ring twice.' }],
  'field-service.record_payment': [{ amount: '9222.88', notes: 'All of it.' }],
  'fitness-studio.message_class_registrants': [{ channel: 'text', subject: undefined }],
  'fitness-studio.check_in_member': [{ override: false }],
  'invitations.send_message': [
    { recipients: { status: ['opened', 'maybe'], tags: ['Vegetarian', 'חברים'] } },
    { recipients: { status: ['attending'] } },
  ],
  'pet-salon.book_appointment': [
    { employee_id: 'E100004' },
    {
      client_id: undefined,
      pet_id: undefined,
      service_ids: undefined,
      appointment_notes: undefined,
      waitlist_entry_id: 'W100003',
    },
  ],
  'pet-salon.update_appointment': [{ duration_minutes: 50, employee_id: 'E100003', appointment_notes: 'Slowly.' }],
  'pet-salon.update_pet_notes': [{ general: 'Deaf.', personality: 'Kind.' }],
  'photo-gallery.create_invoice': [{ currency: 'USD' }],
  'property-advertising.update_listing': [
    { fields: { description: 'A quiet street.', size_m2: 71.5, rooms: 4, bathrooms: 2 } },
  ],
  'property-advertising.send_listings_to_contact': [{ message: 'Both are free.' }],
  'real-estate-analytics.analyze_unlisted_property': [{ property_type: 'condo', bathrooms: 2 }],
  'real-estate-analytics.download_property_report': [{ logo_url: 'https://images.example.com/logo.png' }],
  'real-estate-analytics.create_property_alert': [
    { filters: { price_min: 100_000, price_max: 450_000, bathrooms_min: 3, property_type: 'condo' } },
  ],
  'salon-booking.create_appointment': [
    {
      team_member_id: '334ced33-0690-4acb-a24d-dfc908ac313e',
      location_id: '1c508ebf-895b-44e9-a464-b7853c25d20c',
    },
  ],
  'salon-booking.add_client': [{ accepts_sms_marketing: true, accepts_marketing: false }],
  'teacher-marketplace.create_product': [{ status: 'active' }],
  'teacher-marketplace.update_product': [
    { description: 'With a key.', grades: ['3rd', '4th'], tags: ['no prep', 'printable'] },
  ],
  'teacher-marketplace.schedule_sale': [{ product_ids: undefined, whole_store: true }],
  'tour-activity.open_dates': [{ times: ['10:00'] }],
  'travel-log.import_steps': [
    {
      steps: [
        {
          place: 'Ninh Bình',
          date: `${dayFromNow(-1)}T16:00:00+07:00`,
          photo_urls: ['https://pics.errabund.example/full/tea.jpg', 'https://pics.errabund.example/full/bay.jpg'],
        },
      ],
    },
  ],
  'travel-log.update_step': [{ place: 'Porto', date: `${dayFromNow(-2)}T10:00:00+01:00` }],
  'video-streaming.update_video': [{ description: 'For beginners.' }],
  'video-streaming.create_coupon': [{ target: 'memberships', collection_id: undefined }, { discount: '20%' }],
}
