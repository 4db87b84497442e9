import type { Preview } from '../kit/declared.ts'

/** The app reschedules and assigns only open jobs. */
export const openJob: Preview = {
  of: 'job_id',
  read: 'get_job',
  by: 'job_id',
  shows: ['client.name', 'client.phone', 'job_type', 'window.start', 'window.end', 'address', 'status'],
  matters: ['client.name', 'client.phone', 'job_type', 'window.start', 'window.end', 'address', 'status'],
  conclusive: true,
  needs: { status: ['Submitted', 'In progress', 'Waiting for parts'] },
}

/** Cancelled jobs are neither invoiced nor paid. */
export const payableJob: Preview = {
  of: 'job_id',
  read: 'get_job',
  by: 'job_id',
  shows: ['client.name', 'job_type', 'total', 'amount_due', 'window.start', 'address', 'status'],
  matters: ['client.name', 'total', 'amount_due', 'status'],
  conclusive: true,
  needs: { status: ['Submitted', 'In progress', 'Waiting for parts', 'Done'] },
}

/** The list has a single page, and no read shows one client. */
export const client: Preview = {
  of: 'client_id',
  read: 'list_clients',
  set: { limit: 100 },
  at: 'clients',
  id: 'client_id',
  shows: ['name', 'email', 'phone', 'address'],
  matters: ['name', 'email', 'phone', 'address'],
  conclusive: true,
}

/** Lists have one status each; unpaid invoices are the ones mostly sent and paid. */
export const unpaidInvoice: Preview = {
  of: 'invoice_id',
  read: 'list_invoices',
  set: { status: 'unpaid', limit: 100 },
  at: 'invoices',
  id: 'invoice_id',
  shows: ['client', 'total', 'amount_due', 'due_date', 'status'],
  matters: ['client', 'total', 'amount_due', 'due_date', 'status'],
}

/** The schedule names all requested team members, whatever the day. */
export function team(of: 'tech_ids' | 'assign' | 'unassign'): Preview {
  return {
    of,
    read: 'get_schedule',
    from: { tech_ids: of },
    set: { from: '2026-01-01' },
    at: 'days.techs',
    id: 'tech_id',
    shows: ['name'],
    matters: ['name'],
    conclusive: true,
  }
}
