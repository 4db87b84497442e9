/** By app: a write and the place of an input in it. */
type Exceptions = Readonly<Record<string, readonly string[]>>

/** An empty text is as good as none here: the app puts its own words there (the code, the job's service, a greeting). */
export const emptied: Exceptions = {
  'course-school': ['create_coupon name'],
  'field-service': ['schedule_event title'],
  invitations: ['send_private_message subject'],
}

/** Left out, the app stays with what the account or the thing has anyway, and this is what had been given. */
export const chosen: Exceptions = {
  // The account's own currency.
  crm: ['create_invoice currency', 'record_manual_payment currency'],
  // The way by which the customer wants to be written to.
  'field-jobs': ['send_estimate via', 'send_invoice via'],
  // All that is due.
  'field-service': ['record_payment amount'],
  // What the appointment has already.
  'pet-salon': ['update_appointment start', 'update_appointment employee_id'],
  // The one place of this team member, the one who has the appointment, no letters.
  'salon-booking': [
    'create_appointment location_id',
    'reschedule_appointment team_member_id',
    'add_client accepts_marketing',
  ],
}

/** What cannot be at its edge, or (`no …`) left out, while all else is as it is; another input of the write is there for it. */
export const refused: Exceptions = {
  // The highest price is so many of the smallest units.
  'camping-host': ['update_pricing nightly_price'],
  'course-school': [
    // A block is named for its new text; somebody must get the email.
    'update_lesson no body_markdown',
    'send_email no to.course_id',
    'send_email no to.user_ids',
    'send_email no to.all_users',
  ],
  crm: [
    // Names of what the account has.
    'create_project status',
    'update_project_status status',
    'create_invoice packages.*.name',
    // One of the two must be there.
    'create_project no client',
    'create_project no client_id',
    // Instalments add up to the lines; nobody pays more than is due.
    'create_invoice items.*.quantity',
    'create_invoice items.*.price',
    'create_invoice payment_plan.*.amount',
    'create_invoice no packages',
    'create_invoice no items',
    'create_invoice no items.*.quantity',
    'record_manual_payment amount',
  ],
  // A collection that the shop has; what a coupon is good for goes with its scope.
  'digital-products': [
    'create_coupon collection',
    'create_coupon scope',
    'create_coupon no scope',
    'create_coupon no collection',
    'create_coupon no product_id',
  ],
  // Names of what the event has.
  'event-management': ['add_attendee ticket_type', 'add_attendee audience_type'],
  'field-jobs': [
    // Names of what the account has.
    'create_job job_type',
    'create_job items.*.name',
    'create_estimate items.*.name',
    // One of the two must be there.
    'assign_job no assign',
    'create_job no client_id',
    'create_job no client',
    'record_payment no invoice_id',
    'record_payment no job_id',
    // More than is owing.
    'record_payment amount',
  ],
  // Names of what the firm has, and all that is due, no other sum.
  'field-service': [
    'create_job service_type',
    'log_time_entry employee',
    'schedule_event employee',
    'record_payment amount',
  ],
  // A text message has no subject, and is shorter.
  'fitness-studio': ['message_class_registrants channel', 'message_class_registrants message'],
  // Email or phone must be there; no status twice; tags that somebody has.
  invitations: [
    'add_guests no guests.*.email',
    'send_message recipients.status.*',
    'send_message recipients.tags.*',
    'send_message recipients.tags',
  ],
  'pet-salon': [
    // A client, their pet and services, or an entry of the waitlist that has all three.
    'book_appointment no client_id',
    'book_appointment no pet_id',
    'book_appointment no service_ids',
    'book_appointment no waitlist_entry_id',
    // A price is of a service.
    'update_appointment no price',
    'update_appointment no service_id',
    // Ten hours reach into the next appointment.
    'update_appointment duration_minutes',
    'add_vaccination vaccine',
  ],
  // Features have up to 60 characters at the app; no half rooms.
  'property-advertising': [
    'update_listing fields.features.*',
    'update_listing fields.rooms',
    'update_listing fields.bathrooms',
  ],
  // Addresses and places that there are; no lowest price above the highest.
  'real-estate-analytics': [
    'analyze_unlisted_property address',
    'export_neighborhood_data location',
    'create_property_alert location',
    'create_property_alert filters.price_min',
    'create_property_alert filters.price_max',
  ],
  // One of the salon's own reasons.
  'salon-booking': ['cancel_appointment cancellation_reason'],
  'teacher-marketplace': [
    // Words of the marketplace.
    'create_product grades.*',
    'create_product grades',
    'create_product subjects.*',
    'create_product subjects',
    'update_product grades.*',
    'update_product grades',
    'update_product subjects.*',
    'update_product subjects',
    // A further licence costs no more than the first.
    'create_product price_cents',
    'create_product additional_license_price_cents',
    'update_product price_cents',
    'update_product additional_license_price_cents',
    // A note is for buyers who are told.
    'upload_revised_file notify_buyers',
    'upload_revised_file no notify_buyers',
    // Either chosen products or all.
    'schedule_sale no product_ids',
    'schedule_sale whole_store',
    'schedule_sale no whole_store',
  ],
  // The sum that was quoted, and no other.
  'travel-booking': ['book_trip total.amount', 'cancel_booking refund.amount', 'change_booking total.amount'],
  // Coming soon needs a day; whole percents; a collection goes with its target.
  'video-streaming': [
    'publish_video no release_at',
    'create_coupon discount',
    'create_coupon target',
    'create_coupon no target',
    'create_coupon no collection_id',
  ],
}
