#!/usr/bin/env python3
"""OData 2 in Atom and verbose JSON by pyslet, over SQLite in memory; see README.md."""

import decimal
import io
import logging
import uuid

from pyslet import iso8601
from pyslet.odata2 import metadata as edmx
from pyslet.odata2.server import Server
from pyslet.odata2.sqlds import SQLiteEntityContainer

import serving

options = serving.parser(__doc__)
options.add_argument("--page", type=int, help="the most entities of a page; 100 without it")
arguments = options.parse_args()
# It warns that a database in memory has one connection, which is what is wanted.
logging.disable(logging.WARNING)

METADATA = b"""<?xml version="1.0" encoding="utf-8" standalone="yes" ?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
  <edmx:DataServices m:DataServiceVersion="2.0">
    <Schema Namespace="Sample" xmlns="http://schemas.microsoft.com/ado/2006/04/edm">
      <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Books" EntityType="Sample.Book"/>
        <EntitySet Name="ProductGroups" EntityType="Sample.ProductGroup"/>
        <EntitySet Name="Products" EntityType="Sample.Product"/>
        <EntitySet Name="Orders" EntityType="Sample.Order"/>
        <EntitySet Name="OrderDetails" EntityType="Sample.OrderDetail"/>
        <AssociationSet Name="GroupProducts" Association="Sample.Group_Product">
          <End Role="Group" EntitySet="ProductGroups"/><End Role="Product" EntitySet="Products"/>
        </AssociationSet>
        <AssociationSet Name="OrderOrderDetails" Association="Sample.Order_OrderDetail">
          <End Role="Order" EntitySet="Orders"/><End Role="Detail" EntitySet="OrderDetails"/>
        </AssociationSet>
      </EntityContainer>
      <EntityType Name="Book">
        <Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String" Nullable="false" MaxLength="200" Unicode="true"
            m:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="true"/>
        <Property Name="Author" Type="Edm.String" Nullable="true" MaxLength="200" Unicode="true"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="10" Scale="2"/>
        <Property Name="Rating" Type="Edm.Double"/>
        <Property Name="InStock" Type="Edm.Boolean"/>
        <Property Name="Created" Type="Edm.DateTime" Precision="3"/>
        <Property Name="Isbn" Type="Edm.Guid"/>
        <Property Name="Copies" Type="Edm.Int64"/>
        <Property Name="Blob" Type="Edm.Binary" MaxLength="100"/>
        <Property Name="Version" Type="Edm.Int32" ConcurrencyMode="Fixed" Nullable="true"/>
        <Property Name="Address" Type="Sample.Address" Nullable="false"/>
      </EntityType>
      <ComplexType Name="Address">
        <Property Name="Street" Type="Edm.String" MaxLength="100" Unicode="true"/>
        <Property Name="City" Type="Edm.String" MaxLength="100" Unicode="true"/>
      </ComplexType>
      <EntityType Name="ProductGroup">
        <Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" MaxLength="100" Unicode="true"/>
        <NavigationProperty Name="Products" Relationship="Sample.Group_Product" FromRole="Group" ToRole="Product"/>
      </EntityType>
      <EntityType Name="Product">
        <Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" MaxLength="100" Unicode="true"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="10" Scale="2"/>
        <NavigationProperty Name="Group" Relationship="Sample.Group_Product" FromRole="Product" ToRole="Group"/>
      </EntityType>
      <EntityType Name="Order">
        <Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Customer" Type="Edm.String" MaxLength="100" Unicode="true"/>
        <Property Name="OrderDate" Type="Edm.DateTime" Precision="3"/>
        <NavigationProperty Name="Details" Relationship="Sample.Order_OrderDetail" FromRole="Order" ToRole="Detail"/>
      </EntityType>
      <EntityType Name="OrderDetail">
        <Key><PropertyRef Name="OrderId"/><PropertyRef Name="Line"/></Key>
        <Property Name="OrderId" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Line" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Quantity" Type="Edm.Int16"/>
        <NavigationProperty Name="Order" Relationship="Sample.Order_OrderDetail" FromRole="Detail" ToRole="Order"/>
      </EntityType>
      <Association Name="Group_Product">
        <End Role="Group" Type="Sample.ProductGroup" Multiplicity="0..1"/>
        <End Role="Product" Type="Sample.Product" Multiplicity="*"/>
      </Association>
      <Association Name="Order_OrderDetail">
        <End Role="Order" Type="Sample.Order" Multiplicity="0..1"/>
        <End Role="Detail" Type="Sample.OrderDetail" Multiplicity="*"/>
      </Association>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>"""

document = edmx.Document()
document.read(io.BytesIO(METADATA))
container = document.root.DataServices["Sample.Container"]
SQLiteEntityContainer(file_path=":memory:", container=container).create_all_tables()


def insert(name, key, related=None, complex_values=(), **properties):
    with container[name].open() as collection:
        entity = collection.new_entity()
        entity.set_key(key)
        for property_name, value in properties.items():
            entity[property_name].set_from_value(value)
        for path, value in complex_values:
            entity[path[0]][path[1]].set_from_value(value)
        for navigation_property, target in (related or {}).items():
            entity[navigation_property].bind_entity(target)
        collection.insert_entity(entity)


def day(number, hour=0):
    return iso8601.TimePoint.from_str(f"2024-01-{number:02d}T{hour:02d}:00:00")


for i in range(1, 26):
    insert(
        "Books", i, complex_values=[(("Address", "City"), f"City {i}")],
        Title=f"Book {i}", Author=["Ann", "Bob", "Çelik"][i % 3], Price=i + decimal.Decimal("0.99"), Rating=i / 2,
        InStock=i % 2 == 0, Created=day(i), Isbn=uuid.UUID(int=i), Copies=2**53 + i, Blob=bytes([i]), Version=1)
for i in range(1, 4):
    insert("ProductGroups", i, Name=f"Group {i}")
for i in range(1, 13):
    insert("Products", i, related={"Group": i % 3 + 1}, Name=f"Product {i}", Price=i * decimal.Decimal("1.25"))
for i in range(1, 11):
    insert("Orders", i, Customer=f"Customer {i % 4}", OrderDate=day(i, 5))
    for line in (1, 2, 3):
        insert("OrderDetails", (i, line), related={"Order": i}, Quantity=line * i)


def application(root):
    service = Server(service_root=root)
    service.set_model(document)
    if arguments.page:
        service.topmax = arguments.page
    return service


# In one thread: a database in memory has one connection, which pyslet does not always take back from a thread that has
# ended, and then all others wait for it for ever.
server = serving.wsgi_server(arguments, application, one_thread=True)
serving.start(arguments, server.server_port)
server.serve_forever()
