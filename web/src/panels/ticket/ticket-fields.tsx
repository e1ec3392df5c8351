/** The fields of the ticket: the choices of an order, its quantity and its prices. */
import type { PriceType, Retention } from '../../../../client/src/generated/operations.ts';
import type { InstrumentRow } from '../../../../client/src/wire.ts';
import { PRODUCT_WORDS, TYPE_WORDS } from '../../orders/words.ts';
import { grouped } from '../../text/figures.ts';
import { Choice } from '../../ui/choice.tsx';
import {
  isMarket,
  moreLots,
  type PriceField,
  priceFields,
  priceTypesOf,
  productsOf,
  retentionsOf,
  stepped,
  unitsOf,
  WHENS,
  type When,
} from './draft.ts';
import { Stepper } from './stepper.tsx';
import type { Ticket } from './use-ticket.ts';

const RETENTION_WORDS: Readonly<Record<Retention, string>> = { DAY: 'Day', IOC: 'IOC' };
const WHEN_WORDS: Readonly<Record<When, string>> = { now: 'Order', gtt: 'GTT', oco: 'OCO' };

interface FieldsProps {
  readonly ticket: Ticket;
  readonly info: InstrumentRow;
}

/** Product, the time when it goes, price type and validity. */
export function Words({ ticket, info }: FieldsProps) {
  const { draft, edit, order } = ticket;
  const { when, product, priceType, retention } = draft.value;
  return (
    <div class="ticket-words">
      <Choice
        label="Product"
        words={order === undefined ? productsOf(info) : [order.product]}
        chosen={product}
        textOf={(word) => PRODUCT_WORDS[word]}
        onChoose={(next) => edit({ product: next })}
        isDisabled={order !== undefined}
      />
      {order === undefined && (
        <Choice
          label="When"
          words={WHENS}
          chosen={when}
          textOf={(word) => WHEN_WORDS[word]}
          onChoose={(next) => edit({ when: next })}
        />
      )}
      <Choice<PriceType>
        label="Type"
        words={priceTypesOf(info, when)}
        chosen={priceType}
        textOf={(word) => TYPE_WORDS[word]}
        onChoose={(next) => edit({ priceType: next })}
      />
      {when === 'now' && (
        <Choice
          label="Validity"
          words={retentionsOf(info, priceType)}
          chosen={retention}
          textOf={(word) => RETENTION_WORDS[word]}
          onChoose={(next) => edit({ retention: next })}
        />
      )}
    </div>
  );
}

export function Fields({ ticket, info }: FieldsProps) {
  const { draft, edit, problem, order } = ticket;
  const { lots, priceType, protection, remarks } = draft.value;
  const wrong = (field: string): string => (problem.value?.field === field ? problem.value.text : '');
  const units = unitsOf(draft.value, info);
  const hint = info.lotSize === '1' ? '' : `× ${info.lotSize} = ${units === undefined ? '' : grouped(String(units))}`;
  return (
    <div class="ticket-fields">
      <Stepper
        name="lots"
        label={info.lotSize === '1' ? 'Quantity' : 'Lots'}
        hint={hint}
        value={lots}
        wrong={wrong('lots')}
        kind="numeric"
        onStep={(steps) => edit({ lots: moreLots(lots, steps) })}
        onInput={(next) => edit({ lots: next })}
      />
      {priceFields(draft.value).map(([field, label]) => (
        <PriceStepper key={field} field={field} label={label} ticket={ticket} info={info} wrong={wrong(field)} />
      ))}
      {order !== undefined && isMarket(priceType) && (
        <TextField
          label="Protection, %"
          value={protection}
          wrong={wrong('protection')}
          onInput={(next) => edit({ protection: next })}
        />
      )}
      {order === undefined && (
        <TextField label="Remarks" value={remarks} wrong="" onInput={(next) => edit({ remarks: next })} />
      )}
    </div>
  );
}

interface PriceStepperProps extends FieldsProps {
  readonly field: PriceField;
  readonly label: string;
  readonly wrong: string;
}

/** A price that steps by ticks; one that is blank begins at the price of the order. */
function PriceStepper({ field, label, ticket, info, wrong }: PriceStepperProps) {
  const { draft, edit } = ticket;
  const value = draft.value[field];
  const bounds = field === 'price' && info.upperCircuit !== '' ? `${info.lowerCircuit} to ${info.upperCircuit}` : '';
  return (
    <Stepper
      name={field}
      label={label}
      hint={bounds}
      value={value}
      wrong={wrong}
      kind="decimal"
      onStep={(steps) => edit({ [field]: stepped(value === '' ? draft.peek().price : value, info.tickSize, steps) })}
      onInput={(next) => edit({ [field]: next })}
    />
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: string;
  readonly onInput: (value: string) => void;
}

function TextField({ label, value, wrong, onInput }: TextFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input maxLength={256} value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      {wrong !== '' && (
        <span class="wrong" role="alert">
          {wrong}
        </span>
      )}
    </label>
  );
}
