import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  project: {
    label: 'project',
    toldBy: [
      { read: 'get_project', by: 'project_id', id: 'project_id' },
      { read: 'list_projects', at: 'projects', id: 'project_id' },
    ],
    title: ['title'],
    facts: ['client.name', 'status', 'project_date'],
  },
  client: {
    label: 'client',
    toldBy: [
      { read: 'list_clients', at: 'clients', id: 'client_id' },
      { read: 'get_project', at: 'client', id: 'client_id' },
    ],
    title: ['name'],
    facts: ['email', 'phone'],
  },
  form: {
    label: 'form',
    // Not get_form_responses: it refuses forms that are not completed.
    toldBy: [
      { read: 'list_forms', at: 'forms', id: 'form_id' },
      { read: 'get_project', at: 'forms', id: 'form_id' },
    ],
    title: ['name'],
    facts: ['type', 'status', 'project_title'],
  },
  template: {
    label: 'template',
    toldBy: [{ read: 'list_form_templates', at: 'templates', id: 'template_id' }],
    title: ['name'],
    facts: ['type'],
  },
  invoice: {
    label: 'invoice',
    toldBy: [
      { read: 'list_invoices', at: 'invoices', id: 'invoice_id' },
      { read: 'get_project', at: 'invoices', id: 'invoice_id' },
    ],
    title: ['project.title'],
    facts: ['total', 'balance', 'due_date', 'status'],
  },
}
