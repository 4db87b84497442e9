import type { Preview } from '../kit/declared.ts'

/** The app moves and mans a job only while it is not over. */
export const openJob: Preview = {
  of: 'job_id',
  read: 'get_job',
  by: 'job_id',
  shows: ['client.name', 'client.phone', 'job_type', 'window.start', 'window.end', 'address', 'status'],
  matters: ['client.name', 'client.phone', 'job_type', 'window.start', 'window.end', 'address', 'status'],
  conclusive: true,
  needs: { status: ['Submitted', 'In progress', 'Waiting for parts'] },
}

/** Nothing is billed or paid for a job that was called off. */
export const payableJob: Preview = {
  of: 'job_id',
  read: 'get_job',
  by: 'job_id',
  shows: ['client.name', 'job_type', 'total', 'amount_due', 'window.start', 'address', 'status'],
  matters: ['client.name', 'total', 'amount_due', 'status'],
  conclusive: true,
  needs: { status: ['Submitted', 'In progress', 'Waiting for parts', 'Done'] },
}

/** The list has no next page, and no other read tells about one client. */
export const client: Preview = {
  of: 'client_id',
  read: 'list_clients',
  set: { limit: 100 },
  at: 'clients',
  id: 'client_id',
  shows: ['name', 'email', 'phone', 'address'],
  matters: ['name', 'email', 'phone', 'address'],
}

/** One list tells invoices of one status only: mostly it is these that are sent and paid. */
export const unpaidInvoice: Preview = {
  of: 'invoice_id',
  read: 'list_invoices',
  set: { status: 'unpaid', limit: 100 },
  at: 'invoices',
  id: 'invoice_id',
  shows: ['client', 'total', 'amount_due', 'due_date', 'status'],
  matters: ['client', 'total', 'amount_due', 'due_date', 'status'],
}

/** The schedule of any day names all who are asked for. */
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
  }
}
