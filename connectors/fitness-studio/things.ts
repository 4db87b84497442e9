import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  member: {
    label: 'member',
    toldBy: [
      { read: 'get_member', by: 'member_id', id: 'member_id' },
      { read: 'list_members', at: 'members', id: 'member_id' },
      { read: 'get_class_roster', at: 'members', id: 'member_id' },
    ],
    title: ['name'],
    facts: ['email'],
  },
  plan: {
    label: 'plan of a member',
    toldBy: [
      { read: 'get_member', at: 'plans', id: 'plan_id' },
      { read: 'list_members', at: 'members.plans', id: 'plan_id' },
    ],
    title: ['name'],
    facts: ['status', 'next_bill_date'],
  },
  class: {
    label: 'class',
    toldBy: [
      { read: 'get_class_roster', by: 'class_id', id: 'class_id' },
      { read: 'list_classes', at: 'classes', id: 'class_id' },
    ],
    title: ['name'],
    facts: ['starts_at', 'coach', 'reserved'],
  },
  template: {
    label: 'plan on offer',
    toldBy: [{ read: 'list_plan_templates', at: 'plan_templates', id: 'template_id' }],
    title: ['name'],
    facts: ['price', 'recurring'],
  },
}
