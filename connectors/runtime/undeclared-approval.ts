import { parseTemplate, templatesOf } from '../kit/approval.ts'
import type { App, Endpoint } from './app.ts'
import { fieldsIn, requiredOf } from './schema-walk.ts'

/** Problems of what an approver reads first, a line each. Only built-in writes must declare it. */
export function ofApproval(app: App, endpoint: Endpoint): string[] {
  const { approval, access, inputSchema } = endpoint
  if (access === 'read') return []
  if (approval === null) return app.added ? [] : ['has no approval']
  const inputs = new Set(fieldsIn(inputSchema).map(({ path }) => path.replaceAll('[]', '')))
  const shown = new Set(shownBy(endpoint))
  const certain = new Set(requiredOf(inputSchema))
  const conditions = [...approval.consequences, ...(approval.instead ?? [])].flatMap(({ when = {} }) =>
    Object.keys(when),
  )
  return [
    ...templatesOf(approval).flatMap((template) =>
      parseTemplate(template).flatMap((part): string[] => {
        const places = ('ifAll' in part ? part.ifAll : [part]).filter((one) => 'place' in one)
        return places.flatMap(({ place }) => [
          ...(inputs.has(place) || shown.has(place)
            ? []
            : [`approval names {${place}}, which is no input and is not shown by a preview`]),
          ...('place' in part && !certain.has(place)
            ? [`approval needs {${place}}, which may be missing: put it and its words in brackets`]
            : []),
        ])
      }),
    ),
    ...conditions.filter((name) => !inputs.has(name)).map((name) => `approval goes by ${name}, which is no input`),
  ]
}

/** `invoice_id.total`, `invoice_id.project.project_id.client.name` */
function shownBy({ preview }: Endpoint): readonly string[] {
  return preview.flatMap(({ of, shows, goesOnTo = [] }) => [
    ...shows.map((path) => `${of}.${path}`),
    ...goesOnTo.flatMap((next) => next.shows.map((path) => `${of}.${next.of}.${path}`)),
  ])
}
