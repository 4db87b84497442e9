import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  customer: {
    label: 'customer',
    toldBy: [
      { read: 'get_customer', by: 'customer_number', id: 'customer_number' },
      { read: 'list_customers', at: 'customers', id: 'customer_number' },
    ],
    title: ['name'],
    facts: ['service_address', 'phone', 'email'],
  },
  // Jobs and opportunities share one number range.
  job: {
    label: 'job',
    toldBy: [
      { read: 'get_job', by: 'job_number', id: 'job_number' },
      { read: 'list_jobs', at: 'jobs', id: 'job_number' },
      { read: 'list_opportunities', at: 'opportunities', id: 'job_number' },
    ],
    title: ['customer'],
    facts: ['service_type', 'status', 'stage', 'scheduled_on'],
  },
}
