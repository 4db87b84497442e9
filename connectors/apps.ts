import type { ConnectorSpec } from './define.ts'
import { propertyAdvertising } from './property-advertising/index.ts'

/** One line per app, by slug, which is also the connector's folder. */
export const connectors: Readonly<Record<string, ConnectorSpec>> = {
  'property-advertising': propertyAdvertising,
}
