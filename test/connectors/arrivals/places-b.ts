/** As placesAToF, of the other apps. */
export const placesIToZ: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  invitations: {
    send_invitation: 'event_id=partyNo:number send_at=atMs:milliseconds',
    add_guests: `
      event_id=partyNo:number guests.*.name=people.*.calledAs guests.*.email=people.*.mail
      guests.*.group_name=people.*.household guests.*.total_invited=people.*.seats guests.*.phone=people.*.mobile`,
    tag_guests: 'event_id=partyNo:number guest_ids.*=guestNos.*:number tag=label',
    send_message: `
      event_id=partyNo:number
      template=preset(reminder_to_rsvp~NUDGE,event_reminder~HEADS_UP,time_location_change~CHANGE,write_your_own~FREE)
      message=body
      recipients.status.*=tracks.*(sent~DELIVERED,opened~SEEN,attending~COMING,not_attending~DECLINED,maybe~UNSURE)
      recipients.tags.*=labels.*`,
    send_private_message: 'event_id=partyNo:number guest_id=guestNo:number subject=subject message=body',
  },
  'pet-salon': {
    book_appointment: `
      start=begins:utcMinutes client_id=cl pet_id=pet service_ids.*=svc.* employee_id=emp appointment_notes=nts
      waitlist_entry_id=wl`,
    send_pickup_text: 'appointment_id=tkt',
    update_appointment: `
      appointment_id=tkt start=begins:utcMinutes duration_minutes=mins employee_id=emp price=prices.0.pence:cents
      service_id=prices.0.svc appointment_notes=nts`,
    void_appointment: 'appointment_id=tkt reason=why void_card_transactions=cards(true~1,false~0)',
    add_vaccination: 'pet_id=pet vaccine=vx(Rabies~RAB) expires=exp:dayMonthYear',
    update_pet_notes: 'pet_id=pet general=gen grooming=grm personality=prs medical=med',
  },
  'photo-gallery': {
    create_collection: 'name=title event_date=shoot_day:compactDay',
    share_collection: 'collection_id=gallery emails.*=to.* note=note',
    upload_photos: 'collection_id=gallery photo_urls.*=stored.*.source|rejects.0.source',
    create_contact: 'name=full_name email=mail phone=tel type=standing',
    create_invoice: `
      contact_id=payer line_items.*.description=lines.*.label line_items.*.unit_price=lines.*.cents:cents
      line_items.*.quantity=lines.*.qty due_date=due_day:compactDay currency=money`,
    send_invoice: 'invoice_id=id',
  },
  'property-advertising': {
    deactivate_listing: 'listing_id=ref',
    reactivate_listing: 'listing_id=ref',
    update_listing: `
      listing_id=ref fields.price=cents:cents fields.features.*=perks.* fields.description=blurb
      fields.size_m2=built fields.rooms=rooms fields.bathrooms=baths`,
    add_contact_note: 'contact_id=thread:number note=text',
    archive_conversation: 'contact_id=thread:number',
    mark_contact_handled: 'contact_id=thread:number',
    reply_to_contact: 'contact_id=thread:number message=text',
    send_listings_to_contact: 'contact_id=thread:number listing_ids.*=refs.* message=text',
  },
  'question-answer': {
    ask_question: 'question=wording space_id=room:number',
    post_answer: `
      question_url=ask:lastSegment(can-somebody-recommend-a-book-about-volunteer-work-25cf~100239)
      body_markdown=text`,
    post_to_space: 'space_id=room:number title=headline body_markdown=text publish=timing(queued~queue,now~now)',
    review_space_submission: 'submission_id=entry:number decision=verdict(approve~publish,queue~line_up,pass~skip)',
  },
  'real-estate-analytics': {
    analyze_unlisted_property: `
      address=street price=ask:usd
      property_type=kind(single_family~SFR,condo~CND,townhouse~TWN,multi_family~MFR,manufactured~MOB) bedrooms=br
      bathrooms=ba`,
    export_neighborhood_data: 'preset_id=preset location=where',
    download_property_report: 'property_id=home company_name=firm logo_url=logo',
    remove_saved_home: 'property_id=home',
    save_home: 'property_id=home rating=stars note=memo',
    create_property_alert: `
      location=place email_frequency=every(weekly~week,daily~day,monthly~month) filters.price_min=crit.px_from:usd
      filters.price_max=crit.px_to:usd filters.bedrooms_min=crit.br_from filters.bathrooms_min=crit.ba_from
      filters.property_type=crit.kind(single_family~SFR,condo~CND,townhouse~TWN,multi_family~MFR,manufactured~MOB)
      filters.cash_on_cash_min=crit.coc_from:cents`,
  },
  salon: {
    book_appointment: 'client_id=guest service_id=treatment provider_id=crew start=begins:spokenTime',
    cancel_appointment: 'appointment_id=id notify_client=told(true~mail,false~nobody)',
    reschedule_appointment: `
      appointment_id=id start=begins:spokenTime provider_id=crew notify_client=tell(true~yes,false~no)`,
    reply_to_client: 'conversation_id=talk message=words include_booking_link=with_booking',
    add_to_waitlist: 'client_id=guest service_id=treatment provider_id=crew date=day:spokenDay',
    notify_waitlist: 'waitlist_entry_ids.*=entries.* message=words',
    reply_to_review: 'review_id=review reply=words',
  },
  'salon-booking': {
    cancel_appointment: 'appointment_id=visit cancellation_reason=reason',
    create_appointment: `
      client_id=guest service_ids.*=menu_items.* start_at=starts:seconds team_member_id=stylist location_id=branch`,
    reschedule_appointment: 'appointment_id=visit start_at=starts:seconds team_member_id=stylist',
    add_client: `
      name=full_name email=mail phone=mobile location_id=branch accepts_marketing=mail_ads
      accepts_sms_marketing=text_ads allergies.*=sensitivities.*`,
    add_client_note: 'client_id=guest text=text',
    add_blocked_time: `
      team_member_id=stylist type=kind(training~course,break~pause,admin~office) start_at=starts:seconds
      end_at=ends:seconds title=label`,
  },
  'teacher-marketplace': {
    create_product: `
      title=name price_cents=cost file_url=link description=about additional_license_price_cents=moreCost
      grades.*=levels.* subjects.*=topics.* tags.*=labels.* custom_category=drawer
      status=shelf(active~live,inactive~hidden)`,
    set_product_status: 'product_id=no:number status=shelf(active~live,inactive~hidden)',
    update_product: `
      product_id=no:number title=name description=about price_cents=cost:dollars
      additional_license_price_cents=more_cost:dollars grades.*=levels.* subjects.*=topics.* tags.*=labels.*`,
    upload_revised_file: 'product_id=no:number file_url=link notify_buyers=tell note=note',
    answer_buyer_question: 'question_id=no:number answer=words',
    schedule_sale: `
      from=first to=last product_ids.*=goods.*:number whole_store=goods(true~null) discount_percent=percent`,
    send_note_to_followers: 'note=words send_on=day:monthDayYear',
  },
  'tour-activity': {
    close_dates: 'activity_id=act from=fromDay:dayMonthYearDashed to=toDay:dayMonthYearDashed times.*=hours.*',
    open_dates: 'activity_id=act from=fromDay:dayMonthYearDashed to=toDay:dayMonthYearDashed times.*=hours.*',
    set_quota: `
      activity_id=act from=fromDay:dayMonthYearDashed to=toDay:dayMonthYearDashed times.*=hours.* quota=places`,
    send_message: 'booking_id=bk with=side(customer~CLIENT,booking_department~OFFICE) message=words',
    request_payment: 'month=month:monthYear',
  },
  'tour-supplier': {
    update_pricing: `
      option_id=variantId prices.adult=adults:cents prices.child=children:cents valid_from=starting:compactDay`,
    update_availability: 'option_id=variantId date=day:compactDay slots.*=departures.0.free',
    reply_to_message: 'conversation_id=threadId message=words',
    reply_to_review: 'review_id=feedbackId reply=words',
  },
  'travel-booking': {
    book_trip: `
      fare_id=tripNo:fareTrip&tariffCode:fareTariff&flexCover:fareFlex passengers.*.first_name=riders.*.givenName
      passengers.*.last_name=riders.*.familyName total.amount=sum:cents total.currency=currency`,
    cancel_booking: 'booking_id=bookingRef refund.amount=givenBack:cents refund.currency=currency',
    change_booking: 'booking_id=bookingRef option_id=moveId total.amount=toPay:cents total.currency=currency',
  },
  'travel-log': {
    create_trip: `
      name=heading start_date=first_day:compactDayNumber end_date=last_day:compactDayNumber summary=blurb
      privacy=audience(followers~circle,only_me~self,everyone~world)`,
    set_trip_privacy: 'trip_id=journey:number privacy=audience(followers~circle,only_me~self,everyone~world)',
    add_step: `
      trip_id=journey:number place=spot.named date=at:seconds&zone:offset title=heading story=narrative
      photo_urls.*=gallery.*`,
    add_step_photos: 'step_id=entry:number photo_urls.*=gallery.*',
    import_steps: `
      trip_id=journey:number steps.*.place=entries.*.spot.named|entries.*.spot.geo:geo
      steps.*.date=entries.*.at:seconds&entries.*.zone:offset steps.*.story=entries.*.narrative
      steps.*.title=entries.*.heading steps.*.photo_urls.*=entries.*.gallery.*`,
    update_step: 'step_id=entry:number title=heading story=narrative place=spot.named date=at:seconds&zone:offset',
    reply_to_step_comment: 'comment_id=remark:number body=words',
  },
  'video-streaming': {
    update_video: 'video_id=clip title=heading description=blurb tags.*=labels.* category_ids.*=shelves.*',
    upload_video: 'file_url=source title=heading description=blurb category_ids.*=shelves.*',
    publish_video: `
      video_id=clip release_at=goes-out:moment coming_soon=teaser email_members=mailed(true~24,false~0)`,
    create_collection: `
      title=heading video_ids.*=clips.* access=gate(gated~members,free~open) description=blurb
      category_ids.*=shelves.*`,
    set_collection_playlist: `
      collection_id=series items.*.divider=running-order.*.caption items.*.video_id=running-order.*.clip
      items.*.drip_days=running-order.*.unlock-after-ms:daysInMs`,
    create_live_event: `
      title=heading start_at=begins:moment
      method=via(built_in_studio~browser-studio,rtmp~rtmp-feed,video_meeting~meeting) description=blurb
      preregistration=sign-up`,
    create_community_post: 'channel_id=room text=words publish_at=goes-out:moment',
    create_coupon: `
      code=promo-code discount=off-value:wholePercent|off-value:centsOff
      target=covers(everything~everything,memberships~memberships,collection~one-series) collection_id=series
      max_uses=uses-total max_uses_per_member=uses-each expires_at=until:moment`,
  },
}
