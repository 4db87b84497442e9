/**
 * Where each input of each write stands in what the app accepted: input=place, `*` being any item of a list, `*+1` the
 * next one. After a colon the app's way to write it, by its name among the translations; in brackets the app's word for
 * each of ours, spaces as _. `|`: one of these places; `&`: all of them. @action is the name of what happened.
 */
export const placesAToF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'camping-host': {
    block_dates: 'listing_id=land site_id=pitch from=first:dayNumber to=last:dayNumber',
    unblock_dates: 'listing_id=land site_id=pitch from=first:dayNumber to=last:dayNumber',
    update_pricing: 'listing_id=land site_id=pitch dates.*=days.*:dayNumber nightly_price=price:cents',
    accept_booking_request: 'booking_id=stay message=words',
    decline_booking_request: 'booking_id=stay message=words',
    respond_to_review: `
      review_id=review response=words visibility=@action(public~review.public,private~review.private)`,
    send_message: 'conversation_id=chat message=words',
  },
  'course-school': {
    create_lesson: 'course_id=course:number section_id=section:number title=heading body_markdown=md',
    publish_lesson: 'course_id=course:number lesson_id=lecture:number published=live',
    update_lesson: `
      course_id=course:number lesson_id=lecture:number title=heading body_markdown=md block_id=piece:number`,
    enroll_student: 'course_id=course:number email=mail name=full_name',
    send_email: `
      to.course_id=course:number to.user_ids.*=uids.*:number to.all_users=to(true~everyone) subject=subject
      body=message`,
    moderate_comment: 'comment_id=comment:number status=state(approved~live,denied~refused)',
    reply_to_comment: 'comment_id=comment:number body=text',
    archive_coupon: 'coupon_id=coupon:number',
    create_coupon: `
      code=code discount=tenths:tenthsOff|cents:centsOff applies_to=type|plan:plan|scope(all_products~everything)
      name=label expires_at=ends quantity=stock`,
  },
  crm: {
    create_project: `
      title=headline client_id=person.id client.name=person.fullName client.email=person.mail
      client.phone=person.mobile category=track(job~BOOKED,lead~INQUIRY) status=stage.label tags.*=labels.*
      project_date=eventAt:moment notes=memo`,
    update_project_status: 'project_id=id status=stage.label',
    apply_form_template: 'template_id=blueprint.id project_id=engagement.id name=heading',
    send_form: 'form_id=paper.id message=note',
    create_invoice: `
      project_id=engagement.id packages.*.name=lines.*.label packages.*.quantity=lines.*.quantity
      items.*.name=lines.*+1.label|lines.*.label items.*.quantity=lines.*+1.quantity|lines.*.quantity
      items.*.price=lines.*+1.unit.minor:cents|lines.*.unit.minor:cents
      payment_plan.*.due_date=plan.*.dueAt:moment payment_plan.*.amount=plan.*.share.minor:cents
      currency=sum.currency`,
    record_manual_payment: `
      invoice_id=bill.id amount=worth.minor:cents currency=worth.currency
      method=method(bank_transfer~TRANSFER,cash~CASH,check~CHEQUE,other~OTHER) received_on=receivedAt:moment
      note=remark`,
    send_invoice: 'invoice_id=bill.id message=note',
  },
  'digital-products': {
    create_coupon: `
      code=code discount=off.bp:centsOfPercent|off.cents:centsOff
      scope=covers(order~order,product~ware,collection~shelf) product_id=ware_no
      collection=shelf_no(For_the_studio~F-100002) usage_limit=use_limit expiry_date=until:compactDay`,
    add_order_note: 'order_id=sale_no note=words',
    block_customer: 'order_id=sale_no',
    resend_receipt: 'order_id=sale_no',
    reset_download_credits: 'order_id=sale_no',
    create_product: `
      file_url=file_from title=label price=price_cents:cents description=pitch
      visibility=shown(unlisted~by_link,visible~listed,invisible~hidden)`,
    update_product: `
      product_id=ware_no title=label price=price_cents:cents description=pitch
      visibility=shown(visible~listed,invisible~hidden,unlisted~by_link)`,
    cancel_subscription: 'subscription_id=member_no',
  },
  'event-management': {
    add_attendee: `
      event_id=gathering_no first_name=given_name last_name=family_name email=mail company=firm ticket_type=pass
      audience_type=crowd`,
    add_session: `
      event_id=gathering_no title=heading tracks.*=streams.* speakers.*=voices.* description=blurb
      start=opens.utc:compactTime end=closes.utc:compactTime`,
    update_session: `
      session_id=slot_no start=opens.utc:compactTime end=closes.utc:compactTime tracks.*=streams.*
      speakers.*=voices.* description=blurb`,
    message_speakers: 'event_id=gathering_no subject=subject message=words speaker_ids.*=voice_no.*',
    send_announcement: 'event_id=gathering_no subject=subject message=words',
  },
  'field-jobs': {
    assign_job: 'job_id=job assign.*=put_on.* unassign.*=take_off.*',
    create_job: `
      client_id=customer.uuid client.name=customer.full_name client.phone=customer.mobile client.email=told.to
      client.address=site job_type=kind window.start=begins_at:seconds window.end=ends_at:seconds address=site
      notes=remarks tech_ids.*=crew.*.uuid items.*.name=lines.*.label items.*.quantity=lines.*.qty`,
    reschedule_job: 'job_id=job window.start=begins_at:seconds window.end=ends_at:seconds',
    create_estimate: `
      client_id=customer.uuid items.*.name=lines.*.label items.*.quantity=lines.*.qty notes=remarks`,
    send_estimate: 'estimate_id=estimate via=told.via(email~mail,text~text)',
    create_invoice: 'job_id=job due_date=due_day:compactDay',
    record_payment: `
      invoice_id=bill job_id=job amount=amount_minor:cents
      method=means(cash~cash,check~cheque,bank_transfer~bank,card~card_reader,other~other) reference=reference
      received_at=received_at:seconds`,
    send_invoice: 'invoice_id=bill via=told.via(email~mail,text~text)',
  },
  'field-service': {
    create_customer: `
      name=title is_company=company email=mail phone=tel service_address.street=site.Street
      service_address.city=site.Town service_address.state=site.Region service_address.zip_code=site.Postcode
      service_address.country=site.Land billing_address.street=billing.Street billing_address.city=billing.Town
      billing_address.state=billing.Region billing_address.zip_code=billing.Postcode
      billing_address.country=billing.Land`,
    create_job: `
      customer_number=client:number service_type=service description=internal scope_of_work=scope
      as_opportunity=kind(true~Lead,false~Job)`,
    send_estimate: 'job_number=order:number message=message',
    add_charge: 'job_number=order:number name=label unit_price=each:cents quantity=qty:cents notes=remark',
    log_time_entry: `
      job_number=order:number employee=crew(Chidi_Okafor~1000005) hours=time:cents date=day:dayNumber notes=remark`,
    schedule_event: `
      job_number=order:number start_at=starts:seconds end_at=ends:seconds title=topic
      employee=crew(Amélie_Brûlé~1000002) notes=remark`,
    generate_invoice: 'job_number=order:number',
    record_payment: `
      job_number=order:number method=means(check~Cheque,cash~Cash,other~Other) amount=cents:cents
      reference=reference paid_on=day:dayNumber notes=remark`,
    send_invoice: 'job_number=order:number message=message',
  },
  'fitness-studio': {
    cancel_class: 'class_id=Slot scope=Scope(this_and_future~ONWARD,this_class~ONE)',
    message_class_registrants: 'class_id=Slot channel=Via(email~MAIL,text~TEXT) subject=Subject message=Words',
    book_class_reservation: 'class_id=Slot member_id=Cid',
    check_in_member: 'class_id=Slot member_id=Cid override=Anyway',
    remove_reservation: 'class_id=Slot member_id=Cid',
    cancel_member_plan: 'member_id=Cid plan_id=Pid date=On:monthDayYear',
    pause_member_plan: 'member_id=Cid plan_id=Pid',
    switch_member_plan: `
      member_id=Cid plan_id=Pid new_plan_template_id=Offer when=When(next_bill_date~RENEWAL,now~NOW)`,
  },
}
