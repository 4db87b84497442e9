import type { Preview } from '../kit/declared.ts'

/** The members on the roster: nobody else is notified. */
export const roster: Preview = {
  of: 'class_id',
  read: 'get_class_roster',
  by: 'class_id',
  shows: ['name', 'members'],
  matters: ['name', 'members'],
  conclusive: true,
}
/** The roster lacks the date, so this reads classes by day; cancelled ones are missing there. */
export const when: Preview = {
  of: 'class_id',
  read: 'list_classes',
  set: { from: '2000-01-01', to: '2099-12-31' },
  at: 'classes',
  id: 'class_id',
  shows: ['name', 'starts_at', 'coach', 'reserved', 'waitlist'],
  matters: ['name', 'starts_at', 'coach'],
}
export const member: Preview = {
  of: 'member_id',
  read: 'get_member',
  by: 'member_id',
  shows: ['name', 'email'],
  matters: ['name'],
  conclusive: true,
}
/** The member's last 25 classes, with their status. */
export const visit: Preview = {
  of: 'class_id',
  read: 'get_member',
  from: { member_id: 'member_id' },
  at: 'recent_activity',
  id: 'class_id',
  shows: ['class_name', 'date', 'status'],
  matters: ['class_name', 'date', 'status'],
}
/** Only reserved and checked-in members can be removed from the roster. */
export const place: Preview = {
  of: 'member_id',
  read: 'get_class_roster',
  from: { class_id: 'class_id' },
  at: 'members',
  id: 'member_id',
  shows: ['name', 'status'],
  matters: ['name', 'status'],
  conclusive: true,
  needs: { status: ['reserved', 'checked_in'] },
}

const plan: Preview = {
  of: 'plan_id',
  read: 'get_member',
  from: { member_id: 'member_id' },
  at: 'plans',
  id: 'plan_id',
  shows: ['name', 'status', 'next_bill_date', 'recurring'],
  matters: ['name', 'status', 'next_bill_date', 'recurring'],
  conclusive: true,
}
export const planToPause: Preview = { ...plan, needs: { status: ['active'] } }
export const planToSwitch: Preview = { ...plan, needs: { status: ['active'], recurring: [true] } }
export const planToCancel: Preview = {
  ...plan,
  needs: { status: ['active', 'alert', 'pending_active', 'pending_cancel', 'paused'] },
}
export const newPlan: Preview = {
  of: 'new_plan_template_id',
  read: 'list_plan_templates',
  at: 'plan_templates',
  id: 'template_id',
  shows: ['name', 'price', 'recurring'],
  matters: ['name', 'price', 'recurring'],
  conclusive: true,
  needs: { recurring: [true] },
}
