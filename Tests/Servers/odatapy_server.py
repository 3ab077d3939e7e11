#!/usr/bin/env python3
"""OData 4 and 4.01 in JSON and Atom by odatapy's in-memory processor; see README.md."""

import datetime
import socket
import uuid
from decimal import Decimal

import uvicorn
from odatapy.data import Entity, ValueType
from odatapy.edm.csdl import (
    CsdlAbstractEdmProvider, CsdlComplexType, CsdlEntityContainer, CsdlEntitySet, CsdlEntityType,
    CsdlNavigationProperty, CsdlNavigationPropertyBinding, CsdlProperty, CsdlPropertyRef, CsdlSchema)
from odatapy.server import OData
from odatapy.server.adapters import ODataASGIApp
from odatapy.server.inmemory import InMemoryDataStore, InMemoryProcessor
from odatapy.server.processor import CustomETagSupport

import serving

options = serving.parser(__doc__)
options.add_argument("--page", type=int, help="the most entities of a page")
options.add_argument("--etag", action="store_true", help="books and products have entity tags, and want If-Match")
arguments = options.parse_args()

# The model.

INT, TEXT, PRICE = "Edm.Int32", "Edm.String", "Edm.Decimal"
FLAG, TIME = "Edm.Boolean", "Edm.DateTimeOffset"
NAMESPACE = "Sample"


def prop(name, kind, **facets):
    if kind == PRICE:
        facets = {"precision": 10, "scale": 2, **facets}
    if kind == TIME:
        facets = {"precision": 3, **facets}
    return CsdlProperty(name, kind, **facets)


def link(name, target, **facets):
    return CsdlNavigationProperty(name, f"{NAMESPACE}.{target}", **facets)


def entity_type(name, key, properties, links=()):
    return CsdlEntityType(
        name, key=[CsdlPropertyRef(part) for part in key],
        properties=[prop(part, INT, nullable=False) for part in key] + properties,
        navigation_properties=list(links))


def entity_set(name, kind, **bindings):
    return CsdlEntitySet(
        name, f"{NAMESPACE}.{kind}",
        navigation_property_bindings=[CsdlNavigationPropertyBinding(*pair) for pair in bindings.items()])


class Provider(CsdlAbstractEdmProvider):
    def get_schemas(self):
        address = CsdlComplexType("Address", properties=[prop("Street", TEXT), prop("City", TEXT)])
        types = [
            entity_type("Book", ["Id"], [
                prop("Title", TEXT), prop("Author", TEXT), prop("Price", PRICE), prop("Rating", "Edm.Double"),
                prop("InStock", FLAG), prop("Published", "Edm.Date"), prop("Created", TIME),
                prop("Isbn", "Edm.Guid"), prop("Blob", "Edm.Binary"), prop("Copies", "Edm.Int64"),
                prop("Tags", TEXT, collection=True), prop("Address", f"{NAMESPACE}.Address")]),
            entity_type(
                "ProductGroup", ["Id"], [prop("Name", TEXT)],
                [link("Products", "Product", collection=True, partner="Group")]),
            entity_type(
                "Product", ["Id"], [prop("Name", TEXT), prop("Price", PRICE), prop("Discontinued", FLAG)],
                [link("Group", "ProductGroup", partner="Products")]),
            entity_type(
                "Order", ["Id"], [prop("Customer", TEXT), prop("OrderDate", TIME), prop("Freight", PRICE)],
                [link("Details", "OrderDetail", collection=True, partner="Order")]),
            entity_type(
                "OrderDetail", ["OrderId", "ProductId"], [prop("Quantity", "Edm.Int16"), prop("UnitPrice", PRICE)],
                [link("Order", "Order", partner="Details"), link("Product", "Product")]),
        ]
        container = CsdlEntityContainer("Container", entity_sets=[
            entity_set("Books", "Book"),
            entity_set("Orders", "Order", Details="OrderDetails"),
            entity_set("OrderDetails", "OrderDetail", Order="Orders", Product="Products"),
            entity_set("Products", "Product", Group="ProductGroups"),
            entity_set("ProductGroups", "ProductGroup", Products="Products"),
        ])
        return [CsdlSchema(NAMESPACE, entity_types=types, complex_types=[address], entity_container=container)]


# The data.


def entity(**properties):
    made = Entity()
    for name, (kind, value) in properties.items():
        made.set_property(name, value, ValueType.PRIMITIVE, kind)
    return made


START = datetime.datetime(2024, 1, 1, 12, 0, tzinfo=datetime.timezone.utc)
books = [
    entity(
        Id=(INT, i), Title=(TEXT, f"Book {i}"), Author=(TEXT, ["Ann", "Bob", "Çelik"][i % 3]),
        Price=(PRICE, Decimal(i) + Decimal("0.99")), Rating=("Edm.Double", i / 2), InStock=(FLAG, i % 2 == 0),
        Published=("Edm.Date", datetime.date(2020, 1, i)), Created=(TIME, START + datetime.timedelta(days=i)),
        Isbn=("Edm.Guid", uuid.UUID(int=i)), Blob=("Edm.Binary", bytes([i])), Copies=("Edm.Int64", 2**53 + i))
    for i in range(1, 26)]
groups = [entity(Id=(INT, i), Name=(TEXT, f"Group {i}")) for i in range(1, 4)]
products = [
    entity(
        Id=(INT, i), Name=(TEXT, f"Product {i}"), Price=(PRICE, Decimal(i) * Decimal("1.25")),
        Discontinued=(FLAG, i % 5 == 0))
    for i in range(1, 13)]
orders = [
    entity(
        Id=(INT, i), Customer=(TEXT, f"Customer {i % 4}"), OrderDate=(TIME, START + datetime.timedelta(hours=i)),
        Freight=(PRICE, Decimal("2.50") * i))
    for i in range(1, 11)]
lines = [
    (order, product, entity(
        OrderId=(INT, order), ProductId=(INT, product), Quantity=("Edm.Int16", product),
        UnitPrice=(PRICE, Decimal(product) * Decimal("1.25"))))
    for order in range(1, 11) for product in range(order, order + 3)]

store = InMemoryDataStore()
for name, entities in (
        ("Books", books), ("ProductGroups", groups), ("Products", products), ("Orders", orders),
        ("OrderDetails", [line for _, _, line in lines])):
    store.set_entities(name, entities)
store.declare_key_auto_generating("Books", "Orders", "Products", "ProductGroups")

# The service.

odata = OData.new_instance()
handler = odata.create_handler(odata.create_service_metadata(Provider()))
processor = InMemoryProcessor(store, arguments.page)
handler.register(processor)


def relate(name, source, navigation_property, target):
    entity_set = handler.service_metadata.edm.get_entity_set(name)
    store.add_relation(name, processor._key_of(entity_set, source), navigation_property, target)


for index, product in enumerate(products):
    group = groups[index % 3]
    relate("Products", product, "Group", group)
    relate("ProductGroups", group, "Products", product)
for order, product, line in lines:
    relate("Orders", orders[order - 1], "Details", line)
    relate("OrderDetails", line, "Order", orders[order - 1])
    relate("OrderDetails", line, "Product", products[product - 1])

if arguments.etag:
    TAGGED = ("Books", "Products")

    class Tags(CustomETagSupport):
        def has_etag(self, entity_set):
            return entity_set.name in TAGGED

    for name in TAGGED:
        for tagged in store.entities(name):
            tagged.etag = 'W/"1"'
    handler.register(Tags())

listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind((serving.HOST, arguments.port))
listener.listen(128)
serving.start(arguments, listener.getsockname()[1])
config = uvicorn.Config(
    ODataASGIApp(handler), lifespan="off", log_level="info" if arguments.verbose else "warning")
uvicorn.Server(config).run(sockets=[listener])
