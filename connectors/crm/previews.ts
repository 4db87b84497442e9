import type { ChainedPreview, Preview } from '../kit/declared.ts'

export const project: Preview = {
  of: 'project_id',
  read: 'get_project',
  by: 'project_id',
  shows: ['title', 'client.name', 'client.email', 'status', 'project_date'],
  matters: ['client.name', 'status'],
  conclusive: true,
}

export const client: Preview = {
  of: 'client_id',
  read: 'list_clients',
  set: { limit: 100 },
  at: 'clients',
  id: 'client_id',
  shows: ['name', 'email', 'phone'],
  matters: ['name'],
  conclusive: true,
}

/** The app does not copy intake forms into projects. */
export const template: Preview = {
  of: 'template_id',
  read: 'list_form_templates',
  set: { type: 'all' },
  at: 'templates',
  id: 'template_id',
  shows: ['name', 'type'],
  matters: ['name', 'type'],
  conclusive: true,
  needs: { type: ['proposal', 'contract', 'questionnaire', 'sub_agreement'] },
}

/** The client of the project, with the address that emails go to. */
export const clientOf = (of: string): ChainedPreview => ({
  of,
  read: 'get_project',
  by: 'project_id',
  shows: ['client.name', 'client.email'],
  matters: ['client.name', 'client.email'],
})

const invoice: Preview = {
  of: 'invoice_id',
  read: 'list_invoices',
  set: { status: 'all', limit: 100 },
  at: 'invoices',
  id: 'invoice_id',
  shows: ['project.title', 'total', 'balance', 'currency', 'due_date', 'sent_at', 'status'],
  matters: ['project.title', 'total', 'balance', 'currency', 'due_date', 'sent_at'],
  conclusive: true,
}

/** The app emails an invoice only once. */
export const draftInvoice: Preview = {
  ...invoice,
  needs: { sent_at: [null] },
  goesOnTo: [clientOf('project.project_id')],
}

export const unpaidInvoice: Preview = {
  ...invoice,
  matters: ['project.title', 'balance'],
  needs: { status: ['unpaid'] },
}
