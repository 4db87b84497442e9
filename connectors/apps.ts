import type { ConnectorSpec } from './define.ts'
import { courseSchool } from './course-school/index.ts'
import { crm } from './crm/index.ts'
import { photoGallery } from './photo-gallery/index.ts'
import { propertyAdvertising } from './property-advertising/index.ts'
import { salonBooking } from './salon-booking/index.ts'

/** One line per app, by slug, which is also the connector's folder. */
export const connectors: Readonly<Record<string, ConnectorSpec>> = {
  'course-school': courseSchool,
  crm,
  'photo-gallery': photoGallery,
  'property-advertising': propertyAdvertising,
  'salon-booking': salonBooking,
}
