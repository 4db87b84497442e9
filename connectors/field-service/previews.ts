import type { Preview } from '../kit/declared.ts'

export const customer: Preview = {
  of: 'customer_number',
  read: 'get_customer',
  by: 'customer_number',
  shows: ['name', 'service_address', 'phone', 'email'],
  matters: ['name', 'service_address'],
  conclusive: true,
}

/** A job or opportunity, with the fields that a write depends on. */
function order({ shows, matters, needs }: Pick<Preview, 'shows' | 'matters' | 'needs'>): Preview {
  return {
    of: 'job_number',
    read: 'get_job',
    by: 'job_number',
    shows: ['customer', 'service_type', ...shows],
    matters: ['customer', 'service_type', ...matters],
    conclusive: true,
    ...(needs && { needs }),
  }
}

const bill = ['invoice.total', 'invoice.balance_remaining', 'invoice.currency', 'invoice.status', 'invoice.sent_at']

export const scheduledJob = order({ shows: ['status', 'events'], matters: ['status'] })

export const workedJob = order({ shows: ['status', 'time_entries'], matters: [] })

/** A charge also raises the total of an existing invoice. */
export const chargedOrder = order({
  shows: ['total', 'status', 'charges', 'invoice.status', 'invoice.sent_at'],
  matters: ['status', 'invoice.status', 'invoice.sent_at'],
})

export const estimatedOpportunity = order({
  shows: ['total', 'charges', 'scope_of_work', 'status'],
  matters: ['total', 'charges', 'scope_of_work', 'status'],
  needs: { status: ['new', 'won', 'lost'] },
})

export const unbilledJob = order({
  shows: ['total', 'charges', 'status'],
  matters: ['total', 'charges'],
  needs: { invoice: [null] },
})

/** The email includes the scope of work and each charge. */
export const unsentInvoice = order({
  shows: [...bill, 'charges', 'scope_of_work'],
  matters: [...bill, 'charges', 'scope_of_work'],
  needs: { 'invoice.status': ['unpaid'], 'invoice.sent_at': [null] },
})

export const unpaidInvoice = order({ shows: bill, matters: bill, needs: { 'invoice.status': ['unpaid'] } })
