import type { App } from '../../connectors/registry.ts'
import { memberOf } from '../../client/endpoint-types.ts'

const generated = '// Generated from connectors/; do not edit.\n'

/** client/endpoints/<slug>.ts: TypeScript types of the inputs and outputs of an app's endpoints. */
export function typesOfApp({ slug, endpoints }: App): string {
  const all = [...endpoints.values()]
  const types = all.map(({ name, summary, access, confirm, inputSchema, outputSchema }) =>
    memberOf({ id: `${slug}.${name}`, summary, access, confirm, input: inputSchema, output: outputSchema }, '  '),
  )
  return `${generated}
export interface ${typeName(slug)} {
${types.join('\n')}
}
`
}

/** client/apps.ts: declares all built-in apps for `Callgate.run` and `call`. */
export function typesOfAll(apps: readonly App[]): string {
  const types = apps.map(({ slug }) => typeName(slug))
  const imports = apps.map(({ slug }) => `import type { ${typeName(slug)} } from './endpoints/${slug}.ts'`)
  return `${generated}
${imports.join('\n')}

declare module './callgate.ts' {
  /** The built-in apps. \`confirm\` is the default: a user may have changed it. */
  interface Endpoints
    extends
${types.map((type) => `      ${type}`).join(',\n')} {}
}
`
}

const typeName = (slug: string): string => slug.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
