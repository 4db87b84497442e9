import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  job: {
    label: 'job',
    toldBy: [
      { read: 'get_job', by: 'job_id', id: 'job_id' },
      { read: 'list_jobs', at: 'jobs', id: 'job_id' },
    ],
    title: ['client.name'],
    facts: ['job_type', 'window.start', 'scheduled_start', 'status'],
  },
  client: {
    label: 'client',
    toldBy: [
      { read: 'list_clients', at: 'clients', id: 'client_id' },
      { read: 'get_job', at: 'client', id: 'client_id' },
    ],
    title: ['name'],
    facts: ['phone', 'email', 'address', 'balance_due'],
  },
  tech: {
    label: 'team member',
    toldBy: [
      { read: 'get_schedule', at: 'days.techs', id: 'tech_id' },
      { read: 'list_leads', at: 'leads.assigned_to', id: 'tech_id' },
    ],
    title: ['name'],
    facts: [],
  },
  estimate: {
    label: 'estimate',
    toldBy: [{ read: 'list_estimates', at: 'estimates', id: 'estimate_id' }],
    title: ['client'],
    facts: ['total', 'status', 'sent_at'],
  },
  invoice: {
    label: 'invoice',
    toldBy: [{ read: 'list_invoices', at: 'invoices', id: 'invoice_id' }],
    title: ['client'],
    facts: ['total', 'amount_due', 'due_date', 'status'],
  },
}
